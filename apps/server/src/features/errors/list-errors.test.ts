import { routes } from '@throughline/contract';
import { serverOfFile } from '@throughline/testkit/scene';
import { describe, expect, test } from 'vitest';
import { startErrorScene } from './fixtures/error-scene.ts';

const file = serverOfFile();

/** A scene with three errors; `a` and `b` are equal in all but their message and time. */
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

describe('the list of errors', () => {
  test('is sorted by each of its orders in both directions', async () => {
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
