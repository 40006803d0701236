import { routes } from '@throughline/contract';
import { serverOfFile } from '@throughline/testkit/scene';
import { describe, expect, test } from 'vitest';
import { startErrorScene } from './fixtures/error-scene.ts';

const file = serverOfFile();

/** Creates three errors, whose messages begin with `A`, `b` and `c`. `A` and `b` have two requests each, `c` has one. */
async function startList() {
  const scene = await startErrorScene(file.server);
  await scene.send(
    { message: 'b: Straße gesperrt', user: 'u1', hoursAgo: 30, service: 'shop', release: '1.0' },
    {
      message: 'b: Straße gesperrt',
      user: 'u1',
      hoursAgo: 2,
      service: 'shop',
      release: '1.1',
      path: '/routes',
    },
    { message: 'A: no stock 100%', user: 'u2', hoursAgo: 4, service: 'billing', path: '/carts' },
    { message: 'A: no stock 100%', user: 'u3', hoursAgo: 3, service: 'billing', path: '/carts' },
    { message: 'c: no rate', hoursAgo: 1, thrownIn: { function: 'taxFor', file: 'src/tax.ts' } },
  );
  const letters = async (query: Parameters<typeof scene.list>[0]) =>
    (await scene.list(query)).map(({ message }) => message[0]).join('');
  return { ...scene, letters };
}

/** Returns a different message for each number. It consists of letters, because numbers in error messages are replaced by …. */
const nameError = (at: number) =>
  `lost ${[at / 26, at % 26].map((part) => String.fromCharCode(97 + part)).join('')}`;

describe('the list of errors', () => {
  test('can be sorted by each field in both directions', async () => {
    const { letters } = await startList();
    expect(await letters({})).toBe('cbA');
    expect(await letters({ sort: 'lastSeen', order: 'ascending' })).toBe('Abc');
    expect(await letters({ sort: 'firstSeen' })).toBe('cAb');
    expect(await letters({ sort: 'firstSeen', order: 'ascending' })).toBe('bAc');
    expect(await letters({ sort: 'users' })).toBe('Abc');
    expect(await letters({ sort: 'message', order: 'ascending' })).toBe('Abc');
    expect(await letters({ sort: 'message' })).toBe('cbA');
    expect((await letters({ sort: 'count' })).at(-1)).toBe('c');
  });

  test('orders errors that are equal in the sorted value by their ids', async () => {
    const { send, list } = await startErrorScene(file.server);
    await send(...Array.from('abcdefghijklmnopqrst', (letter) => ({ message: letter.repeat(4) })));
    const ids = (await list({ sort: 'count' })).map(({ id }) => id);
    expect(ids).toHaveLength(20);
    expect(ids).toEqual(ids.toSorted());
  });

  test('contains the errors with each word of the search, in any field and in upper or lower case', async () => {
    const { letters } = await startList();
    for (const [search, found] of [
      ['STRAßE', 'b'],
      ['gesperrt shop', 'b'],
      ['/ROUTES', 'b'],
      ['1.1', 'b'],
      ['no', 'cA'],
      ['…%', 'A'],
      ['%', 'A'],
      ['_', ''],
      ['billing', 'A'],
      ['taxfor', 'c'],
      ['src/tax.ts', 'c'],
      ['no rate billing', ''],
      ["' OR 1=1 --", ''],
      ['\\', ''],
      ['{words}', ''],
      ['  ', 'cbA'],
    ] as const) {
      expect([search, await letters({ search })]).toEqual([search, found]);
    }
  });

  test('does not contain errors of another project that match the search', async () => {
    const mine = await startList();
    const other = await startErrorScene(file.server);
    await other.send({ message: 'mine: no stock' });
    expect((await other.list({ search: 'no' })).map(({ message }) => message)).toEqual(['mine: no stock']);
    expect(await mine.letters({ search: 'mine' })).toBe('');
  });

  test('contains the errors of a state even if 200 newer errors have another state', async () => {
    const { send, list, readList, update } = await startErrorScene(file.server);
    await send(
      { message: 'was ignored', hoursAgo: 9 },
      { message: 'was resolved', hoursAgo: 9 },
      { message: 'is reopened', hoursAgo: 9, release: '1.0' },
      { message: 'stays resolved', hoursAgo: 9, release: '1.0' },
      { message: 'stays open', hoursAgo: 8 },
    );
    for (const { id, message } of await list()) {
      if (message.endsWith('ignored')) await update(id, { state: 'ignored' });
      if (message.endsWith('resolved') || message.endsWith('reopened'))
        await update(id, { state: 'resolved', inNextRelease: message.startsWith('stays') });
    }
    // These 200 requests began before the decisions, the two requests below began after the decisions.
    await send(...Array.from({ length: 200 }, (_, at) => ({ message: nameError(at), hoursAgo: 1 })));
    await send(
      { message: 'is reopened', hoursAgo: 0, release: '1.0' },
      { message: 'stays resolved', hoursAgo: 0, release: '1.0' },
    );
    const read = async (state: 'open' | 'resolved' | 'ignored' | 'all') => {
      const { errors, isAll } = await readList({ state });
      const named = errors.map(({ message }) => message).filter((message) => !message.startsWith('lost'));
      return { named: named.toSorted(), count: errors.length, isAll };
    };
    expect(await read('ignored')).toEqual({ named: ['was ignored'], count: 1, isAll: true });
    expect(await read('resolved')).toMatchObject({ named: ['stays resolved', 'was resolved'], isAll: true });
    // 202 errors are open, and a list contains at most 200 errors, so the two oldest errors are missing.
    expect(await read('open')).toEqual({ named: ['is reopened'], count: 200, isAll: false });
    expect((await readList({ state: 'open', search: 'stays' })).isAll).toBe(true);
    expect((await list({ state: 'open', order: 'ascending' }))[0]?.message).toBe('stays open');
    expect(await read('all')).toMatchObject({ count: 200, isAll: false });
  });

  test('rejects an unknown order, a search that is too long, and a NUL', async () => {
    const { person, project } = await startErrorScene(file.server);
    const params = { id: project.id };
    for (const query of [{ sort: 'x' }, { order: 'down' }, { search: 'x'.repeat(201) }, { search: 'a\0b' }]) {
      // @ts-expect-error: some of these values are invalid.
      const list = person.client.call(routes.errors.list, { params, query });
      await expect(list).rejects.toMatchObject({ status: 400, code: 'validation_failed' });
    }
  });
});
