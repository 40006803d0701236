import { createHash } from 'node:crypto';
import { routes } from '@throughline/contract';
import { serverOfFile } from '@throughline/testkit/scene';
import { describe, expect, test } from 'vitest';
import { NO_RATE, type SentError, startErrorScene } from './fixtures/error-scene.ts';

const file = serverOfFile();
/** The id of the error `no rate` in the service `shop`: the hash of both names, which is the same in all projects. */
const ID_OF_NO_RATE = createHash('md5').update('shop\nno rate').digest('hex');
const times = (count: number, sent: SentError) => Array.from({ length: count }, () => sent);

describe('the detail of an error', () => {
  test('leaves out requests of another service that failed with the same message', async () => {
    const { send, list, read, compare } = await startErrorScene(file.server);
    const failed = { message: 'no\trate \\ of\ntax', release: '1.1' };
    await send(
      ...times(3, { ...failed, user: 'ada' }),
      ...times(5, { ...failed, user: 'eve', service: 'billing', release: '2.0', path: '/bills' }),
      { ...failed, message: 'no stock', user: 'bob' },
      ...times(4, {}),
      ...times(7, { service: 'billing' }),
    );
    const shop = (await list()).find(({ service, message }) => service === 'shop' && message !== 'no stock');
    const { error, people, releases, traces } = await read(shop?.id ?? '');
    expect(error.count).toBe(3);
    expect(people.map(({ userId, count }) => [userId, count])).toEqual([['ada', 3]]);
    expect(releases).toEqual([{ release: '1.1', count: 3 }]);
    expect(await compare(shop?.id ?? '')).toMatchObject({ matching: 3, others: 4 });
    expect(traces.map(({ service }) => service)).toEqual(['shop', 'shop', 'shop']);
  });

  test('lists the ten newest requests, however long ago they started', async () => {
    const { send, list, read } = await startErrorScene(file.server);
    const hours = [0.5, 1, 30, 31, 50, 100, 200, 300, 400, 500, 600, 700];
    await send(...hours.map((hoursAgo, index) => ({ ...NO_RATE(index), hoursAgo })));
    const id = (await list({ days: '30' }))[0]?.id ?? '';
    const readUsers = async (days: '7' | '30') =>
      (await read(id, { days })).traces.map(({ userId }) => userId);
    expect(await readUsers('30')).toEqual(hours.slice(0, 10).map((_, index) => `u${index}`));
    expect(await readUsers('7')).toEqual(['u0', 'u1', 'u2', 'u3', 'u4', 'u5']);
  });

  test('compares an error of very many endpoints with all successful requests to these endpoints', async () => {
    const { send, list, compare } = await startErrorScene(file.server);
    const paths = Array.from({ length: 60 }, (_, index) => `/at/${'x'.repeat(index + 1)}`);
    await send(
      ...paths.flatMap((path) => [{ path, message: 'no rate', user: 'ada' }, { path }]),
      ...times(9, { path: '/other' }),
    );
    const comparison = await compare((await list())[0]?.id ?? '');
    expect(comparison).toMatchObject({ matching: 60, others: 60 });
    expect(comparison.differences.map(({ term }) => term)).toEqual(['user:ada']);
  });

  test('contains the requests of two services if line breaks give the errors of both services the same id', async () => {
    const { send, list, compare } = await startErrorScene(file.server);
    await send(
      ...times(2, { service: 'shop', message: 'rate\ntax' }),
      ...times(3, { service: 'shop\nrate', message: 'tax' }),
    );
    const errors = await list();
    expect(errors.map(({ count }) => count)).toEqual([5]);
    for (const _again of [1, 2]) expect((await compare(errors[0]?.id ?? '')).matching).toBe(5);
  });

  test('is the same whether the error was opened from the list or by its address', async () => {
    const { send, list, read } = await startErrorScene(file.server);
    await send(...times(3, { message: 'no rate', user: 'ada' }), { message: 'no stock' }, ...times(4, {}));
    const { error } = await read(ID_OF_NO_RATE);
    expect(error).toEqual((await list()).find(({ id }) => id === ID_OF_NO_RATE));
    expect((await read(ID_OF_NO_RATE)).error).toEqual(error);
  });

  test('counts the requests of merged errors with very long messages', async () => {
    const { send, list, read, compare, person, project } = await startErrorScene(file.server);
    const messages = [...'abcdefghij'].map((letter) => `${letter.repeat(20)} `.repeat(24));
    await send(
      ...messages.map((message, index) => ({ message, user: `u${index}` })),
      { message: 'no rate', user: 'eve' },
      ...times(4, {}),
    );
    const long = (await list()).filter(({ message }) => message !== 'no rate').map(({ id }) => id);
    const [target = '', ...errorIds] = long;
    const params = { id: project.id, errorId: target };
    await person.client.call(routes.errors.merge, { params, body: { errorIds } });
    const { error, people, traces } = await read(target);
    expect(error).toMatchObject({ count: 10, users: 10 });
    expect(people).toHaveLength(10);
    expect(traces).toHaveLength(10);
    expect(await compare(target)).toMatchObject({ matching: 10, others: 4 });
  });

  test('is found with its comparison only in a range with a request that has the error', async () => {
    const { send, read, compare } = await startErrorScene(file.server);
    await send({ message: 'no rate', hoursAgo: 50 }, ...times(4, {}));
    for (const find of [read, compare]) {
      await expect(find(ID_OF_NO_RATE, { days: '1' })).rejects.toMatchObject({ code: 'not_found' });
      await expect(find('not an id')).rejects.toMatchObject({ code: 'not_found' });
      await find(ID_OF_NO_RATE, { days: '7' });
    }
  });
});
