import { createHash } from 'node:crypto';
import { routes } from '@throughline/contract';
import { refusal } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import { type SentError, startErrorScene } from '../fixtures/error-scene.ts';

const file = serverOfFile();

const MESSAGE = "Cannot read properties of undefined (reading 'id')";
const TAX = { function: 'taxFor', file: 'src/tax.ts' };
const PRICE = { function: 'priceOf', file: 'src/price.ts' };
const thrown = (thrownIn: NonNullable<SentError['thrownIn']>, more: Partial<SentError> = {}): SentError => ({
  message: MESSAGE,
  thrownIn,
  ...more,
});

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
/** The id of the error before the split. The function that failed first keeps this id. */
const WHOLE = md5(`shop\n${MESSAGE}`);
const idIn = ({ function: name, file: path, type = 'TypeError' }: NonNullable<SentError['thrownIn']>) =>
  md5(`${WHOLE}${type}\n${name}\n${path}`);

async function aScene(...sent: readonly SentError[]) {
  const scene = await startErrorScene(file.server);
  await scene.send(...sent);
  const { client } = scene.person;
  const { id } = scene.project;
  return {
    ...scene,
    listAll: async () =>
      (await scene.list({ state: 'all' })).map((error) => [error.id, error.thrownBy?.function, error.count]),
    countTraces: async (errorIds: readonly string[]) => {
      const query = { projectId: id, errorIds: errorIds.join(',') };
      return (await client.call(routes.traces.list, { query })).traces.length;
    },
    merge: (errorId: string, ...errorIds: string[]) =>
      client.call(routes.errors.merge, { params: { id, errorId }, body: { errorIds } }),
    splitOff: (errorId: string, mergedId: string) =>
      client.call(routes.errors.splitOff, { params: { id, errorId, mergedId } }),
  };
}

describe('a message that several functions throw', () => {
  test('has an error for each function, and the function that failed first keeps the error with the message', async () => {
    const scene = await aScene(
      thrown(TAX, { hoursAgo: 5, user: 'ada' }),
      thrown(TAX, { hoursAgo: 4, user: 'ada' }),
      { message: MESSAGE, hoursAgo: 3.5, user: 'bob' },
    );
    expect(await scene.listAll()).toEqual([[WHOLE, 'taxFor', 3]]);
    await scene.send(thrown(PRICE, { hoursAgo: 2, user: 'eve' }));
    const [price, tax, ...others] = await scene.list();
    expect(others).toEqual([]);
    expect(price).toMatchObject({ id: idIn(PRICE), splitFrom: WHOLE, message: MESSAGE, count: 1, users: 1 });
    expect(price?.thrownBy).toEqual({ type: 'TypeError', function: 'priceOf', file: 'src/price.ts' });
    // Requests whose function is unknown keep the error that they had before the split.
    expect(tax).toMatchObject({ id: WHOLE, splitFrom: null, count: 3, users: 2 });
    expect(tax?.thrownBy?.function).toBe('taxFor');
    expect(await scene.countTraces(price?.requestIds ?? [])).toBe(1);
    expect(await scene.countTraces(tax?.requestIds ?? [])).toBe(3);
    // A link from before the split contains the id `WHOLE`, and still finds the requests of all functions.
    expect(await scene.countTraces([WHOLE])).toBe(4);
    const detail = await scene.read(idIn(PRICE));
    expect(detail).toMatchObject({
      error: { id: idIn(PRICE) },
      people: [{ userId: 'eve', count: 1 }],
      traces: [{ userId: 'eve' }],
    });
    expect((await scene.read(WHOLE)).traces.map(({ userId }) => userId)).toEqual(['bob', 'ada', 'ada']);
    // The hash of the first function is another id of the error that this function keeps.
    expect((await scene.read(idIn(TAX))).error.id).toBe(WHOLE);
  });

  test('has the same errors in the next release, in which the functions are in other lines and built files', async () => {
    const built = (hash: string, line: number) => ({ ...PRICE, file: `dist/price-${hash}.js`, line });
    const scene = await aScene(
      thrown({ ...TAX, line: 10 }, { hoursAgo: 5, release: '1.0' }),
      thrown(built('3fa9bc12', 7), { hoursAgo: 4, release: '1.0' }),
    );
    const before = await scene.list();
    expect(before).toHaveLength(2);
    await scene.send(
      thrown({ ...TAX, line: 85 }, { hoursAgo: 0.2, release: '2.0' }),
      thrown(built('90ab12cd', 9), { hoursAgo: 0.1, release: '2.0' }),
    );
    expect((await scene.list()).map(({ id, count, lastRelease }) => [id, count, lastRelease])).toEqual(
      before.map(({ id }) => [id, 2, '2.0']),
    );
  });

  test('has an error for each type and each file of equally named functions', async () => {
    const { listAll } = await aScene(
      thrown(TAX, { hoursAgo: 5 }),
      thrown({ ...TAX, type: 'RangeError' }, { hoursAgo: 4 }),
      thrown({ ...TAX, file: 'src/vat.ts' }, { hoursAgo: 3 }),
    );
    expect((await listAll()).map(([id]) => id)).toEqual([
      idIn({ ...TAX, file: 'src/vat.ts' }),
      idIn({ ...TAX, type: 'RangeError' }),
      WHOLE,
    ]);
  });

  test('has errors that users can decide about separately, merge, and split off again', async () => {
    const { list, listAll, update, merge, splitOff, countTraces } = await aScene(
      thrown(TAX, { hoursAgo: 5 }),
      thrown(PRICE, { hoursAgo: 4 }),
    );
    await list();
    await update(idIn(PRICE), { state: 'ignored', note: 'of the shop' });
    expect(await list()).toMatchObject([{ id: WHOLE, state: 'new', note: '' }]);
    await merge(WHOLE, idIn(PRICE));
    expect(await listAll()).toEqual([[WHOLE, 'taxFor', 2]]);
    const [merged] = await list();
    expect(merged?.merged).toEqual([idIn(PRICE)]);
    expect(await countTraces(merged?.requestIds ?? [])).toBe(2);
    await splitOff(WHOLE, idIn(PRICE));
    expect(await list({ state: 'ignored' })).toMatchObject([{ id: idIn(PRICE), note: 'of the shop' }]);
  });

  test.each([
    ['target', WHOLE, md5('shop\nother'), 'priceOf'],
    ['merged error', md5('shop\nother'), WHOLE, undefined],
  ])('is not split while its error is the %s of a merge', async (_role, target, merged, shown) => {
    const { listAll, merge, splitOff, send } = await aScene(
      { message: 'other', hoursAgo: 4 },
      thrown(TAX, { hoursAgo: 5 }),
    );
    const other = md5('shop\nother');
    await merge(target, merged);
    await send(thrown(PRICE, { hoursAgo: 3 }));
    expect(await listAll()).toEqual([[target, shown, 3]]);
    await splitOff(target, merged);
    expect((await listAll()).map(([id]) => id)).toEqual([idIn(PRICE), other, WHOLE]);
  });

  test('is split after its merge is undone, and each function that had failed before a decision about the merged error keeps the decision', async () => {
    const { list, listAll, merge, splitOff, update, send } = await aScene(
      { message: 'other', hoursAgo: 6 },
      thrown(TAX, { hoursAgo: 5 }),
    );
    const other = md5('shop\nother');
    await merge(WHOLE, other);
    await send(thrown(PRICE, { hoursAgo: 4 }));
    await update(WHOLE, { state: 'ignored', note: 'of the merged error' });
    await splitOff(WHOLE, other);
    expect((await listAll()).map(([id]) => id)).toEqual([idIn(PRICE), WHOLE, other]);
    expect(await list({ state: 'ignored' })).toMatchObject([
      { id: idIn(PRICE), note: 'of the merged error' },
      { id: WHOLE, note: 'of the merged error' },
    ]);
  });

  test('is split once if several users list the errors at the same time', async () => {
    const { list } = await aScene(thrown(TAX, { hoursAgo: 5 }), thrown(PRICE, { hoursAgo: 4 }));
    const lists = await Promise.all(Array.from({ length: 6 }, () => list()));
    for (const errors of lists) expect(errors.map(({ id }) => id)).toEqual([idIn(PRICE), WHOLE]);
  });

  test('names, in the detail of each error, the other functions and their numbers of requests in the range', async () => {
    const FEE = { function: 'addFee', file: 'src/fee.ts' };
    const { read, merge, list } = await aScene(
      thrown(TAX, { hoursAgo: 50 }),
      thrown(PRICE, { hoursAgo: 5 }),
      thrown(PRICE, { hoursAgo: 4 }),
      thrown(FEE, { hoursAgo: 2 }),
      { message: 'other', hoursAgo: 3 },
    );
    const listOthers = async (errorId: string, days: '1' | '7') =>
      (await read(errorId, { days })).sameMessage.map(({ id, thrownBy, count }) => [
        id,
        thrownBy?.function,
        count,
      ]);
    await list();
    expect(await listOthers(idIn(PRICE), '7')).toEqual([
      [idIn(FEE), 'addFee', 1],
      [WHOLE, 'taxFor', 1],
    ]);
    // The first function has no requests in the last day.
    expect(await listOthers(idIn(PRICE), '1')).toEqual([
      [idIn(FEE), 'addFee', 1],
      [WHOLE, 'taxFor', 0],
    ]);
    expect(await listOthers(WHOLE, '7')).toEqual([
      [idIn(FEE), 'addFee', 1],
      [idIn(PRICE), 'priceOf', 2],
    ]);
    expect(await listOthers(md5('shop\nother'), '7')).toEqual([]);
    await merge(md5('shop\nother'), idIn(FEE));
    await merge(WHOLE, idIn(PRICE));
    // The error of `addFee` appears as the error that it was merged into. The error of `priceOf` is left out, because it was merged into
    // `WHOLE`.
    expect(await listOthers(WHOLE, '7')).toEqual([[md5('shop\nother'), 'addFee', 1]]);
  });

  test('does not affect errors of other services and projects', async () => {
    const first = await aScene(thrown(TAX, { hoursAgo: 5 }), thrown(PRICE, { hoursAgo: 4 }));
    await first.send(thrown(PRICE, { service: 'billing', hoursAgo: 3 }));
    await first.list();
    const second = await aScene(thrown(PRICE));
    expect(await second.listAll()).toEqual([[WHOLE, 'priceOf', 1]]);
    expect((await first.listAll()).map(([id]) => id)).toEqual([
      md5(`billing\n${MESSAGE}`),
      idIn(PRICE),
      WHOLE,
    ]);
    expect(await refusal(second.read(idIn(TAX)))).toMatchObject({ status: 404 });
  });
});

describe('an error with requests from before functions were known', () => {
  const OLD = { message: MESSAGE, hoursAgo: 50 };

  test('is not split on the first day, so all of its requests keep the error', async () => {
    const { listAll } = await aScene(OLD, thrown(TAX, { hoursAgo: 23 }), thrown(PRICE, { hoursAgo: 2 }));
    expect(await listAll()).toEqual([[WHOLE, 'priceOf', 3]]);
  });

  test('is split after a day into errors that keep its state, note, assignee and first occurrence; functions that fail later have new errors', async () => {
    const { send, list, update, person } = await aScene(OLD);
    const decided = { state: 'ignored', note: 'of the table', assignee: person.user.id } as const;
    await update(WHOLE, decided);
    const [before] = await list({ state: 'all' });
    await send(
      thrown(TAX, { hoursAgo: 30 }),
      thrown(PRICE, { hoursAgo: 20, release: '2.0' }),
      thrown(PRICE, { hoursAgo: 1 }),
    );
    const kept = {
      // It is unknown in which release each function first failed, because the oldest request does not contain the function.
      firstRelease: '',
      state: 'ignored',
      note: 'of the table',
      assignee: { id: person.user.id },
      firstSeen: before?.firstSeen,
    };
    expect(await list({ state: 'all' })).toMatchObject([
      { id: idIn(PRICE), count: 2, ...kept },
      { id: WHOLE, count: 2, ...kept },
    ]);
    expect(await list({ assigned: 'me', state: 'all' })).toHaveLength(2);
    await send(thrown({ ...PRICE, function: 'addFee' }, { hoursAgo: 0.5 }));
    expect(await list()).toMatchObject([
      { id: idIn({ ...PRICE, function: 'addFee' }), state: 'new', note: '', assignee: null },
    ]);
    // After the split, a decision is about the error of one function only.
    await update(WHOLE, { state: 'open' });
    expect((await list({ state: 'all' })).map(({ state }) => state)).toEqual(['new', 'ignored', 'ongoing']);
  });

  test.runIf(isThorough())('is ongoing after the split if it was ongoing before', async () => {
    const { list } = await aScene(OLD, thrown(TAX, { hoursAgo: 30 }), thrown(PRICE, { hoursAgo: 8 }));
    expect((await list()).map(({ id, state }) => [id, state])).toEqual([
      [idIn(PRICE), 'ongoing'],
      [WHOLE, 'ongoing'],
    ]);
  });
});
