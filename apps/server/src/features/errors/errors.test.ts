import { routes } from '@throughline/contract';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import { NO_RATE, type SentError, startErrorScene } from './fixtures/error-scene.ts';

const file = serverOfFile();

const aScene = () => startErrorScene(file.server);

describe('the errors of a project', () => {
  test('are listed once per service and message, with users, endpoints, releases, times and a trend', async () => {
    const { send, list } = await aScene();
    await send(
      { ...NO_RATE(1), hoursAgo: 100, release: '1.0' },
      { ...NO_RATE(2), hoursAgo: 3, release: '1.1' },
      { ...NO_RATE(2), hoursAgo: 2, release: '1.1', path: '/quotes' },
      { ...NO_RATE(3), hoursAgo: 200, release: '0.9' },
      { ...NO_RATE(4), service: 'billing' },
      { message: null },
    );
    const [billing, shop, ...others] = await list();
    expect(others).toEqual([]);
    expect(billing).toMatchObject({ service: 'billing', count: 1, state: 'new' });
    expect(shop).toMatchObject({
      service: 'shop',
      message: 'no rate for order …',
      count: 3,
      users: 2,
      endpoint: 'POST /orders',
      endpoints: 2,
      firstRelease: '0.9',
      lastRelease: '1.1',
      state: 'ongoing',
      changed: null,
      note: '',
    });
    expect(shop?.trend.reduce((sum, part) => sum + part, 0)).toBe(3);
    expect(shop?.trend.at(-1)).toBe(2);
    expect(Date.now() - Date.parse(shop?.firstSeen ?? '')).toBeGreaterThan(199 * 3_600_000);
    const lastDay = (await list({ days: '1' })).find(({ service }) => service === 'shop');
    expect(lastDay?.count).toBe(2);
    // The trend of a day has half-hour intervals, so the requests of three and two hours ago are not in consecutive intervals.
    expect(lastDay?.trend.join('')).toMatch(/^0{41,42}10+10{3,4}$/);
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const between = await list({ startDate: hoursAgo(210), endDate: hoursAgo(50) });
    expect(between.map(({ service, count }) => [service, count])).toEqual([['shop', 2]]);
    expect(await list({ startDate: hoursAgo(-1) })).toEqual([]);
    await expect(list({ startDate: hoursAgo(1), endDate: hoursAgo(2) })).rejects.toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
    await expect(list({ startDate: '1066-10-14T12:00:00Z' })).rejects.toMatchObject({ status: 400 });
  });

  test('are listed with the type of the error and the function that threw it, if the function is known', async () => {
    const { send, list } = await aScene();
    await send(
      { message: 'no rate', thrownIn: { function: 'taxFor', file: 'src/tax.ts' } },
      { message: 'no rate', hoursAgo: 0.5 },
      { message: 'no stock' },
    );
    expect((await list()).map(({ message, thrownBy }) => [message, thrownBy])).toEqual([
      ['no rate', { type: 'TypeError', function: 'taxFor', file: 'src/tax.ts' }],
      ['no stock', null],
    ]);
  });

  test.runIf(isThorough())('can be resolved as long as their traces are stored', async () => {
    const { send, list, update } = await aScene();
    await send({ ...NO_RATE(1), hoursAgo: 60 * 24 });
    const startDate = new Date(Date.now() - 80 * 24 * 3_600_000).toISOString();
    const id = (await list({ startDate }))[0]?.id ?? '';
    expect(await update(id, { state: 'resolved' })).toMatchObject({ state: 'resolved' });
  });

  test('can be resolved and ignored, reopen when they are seen again, and keep their note', async () => {
    const { send, list, update } = await aScene();
    await send(NO_RATE(1), { message: 'timed out' });
    const id = (await list()).find(({ message }) => message.startsWith('no rate'))?.id ?? '';
    const resolved = await update(id, { state: 'resolved', note: 'missing row in rates' });
    expect(resolved).toMatchObject({ state: 'resolved', note: 'missing row in rates' });
    expect(resolved.changed?.by).toEqual(expect.any(String));
    expect((await list()).map(({ message }) => message)).toEqual(['timed out']);
    expect((await list({ state: 'resolved' })).map((error) => error.id)).toEqual([id]);
    await send({ ...NO_RATE(9), hoursAgo: 0 });
    expect((await list()).find((error) => error.id === id)).toMatchObject({
      state: 'reopened',
      note: 'missing row in rates',
    });
    await update(id, { state: 'ignored' });
    expect(await list({ state: 'ignored' })).toMatchObject([{ id, state: 'ignored' }]);
    expect(await update(id, { state: 'open' })).toMatchObject({ state: 'new', changed: null });
    expect(await list({ state: 'all' })).toHaveLength(2);
  });

  test.runIf(isThorough())(
    'that are marked as resolved in the next release stay resolved while only the current release has them',
    async () => {
      const { send, list, update } = await aScene();
      await send({ ...NO_RATE(1), release: '1.0' });
      const id = (await list())[0]?.id ?? '';
      expect(await update(id, { state: 'resolved', inNextRelease: true })).toMatchObject({
        state: 'resolved',
        resolvedAfterRelease: '1.0',
      });
      await send({ ...NO_RATE(2), release: '1.0', hoursAgo: 0 });
      expect(await list({ state: 'resolved' })).toHaveLength(1);
      await send({ ...NO_RATE(3), release: '1.1', hoursAgo: 0 });
      expect(await list()).toMatchObject([{ id, state: 'reopened' }]);
    },
  );

  test('have a detail with affected users, releases and the newest requests', async () => {
    const { send, list, read } = await aScene();
    await send(
      ...[1, 2, 3, 4].map((id) => ({ ...NO_RATE(id), user: 'ada', release: '1.1' })),
      { ...NO_RATE(5), user: 'eve', release: '1.1' },
      { user: 'ada', release: '1.1' },
    );
    const detail = await read((await list())[0]?.id ?? '');
    expect(detail.people.map(({ userId, count }) => [userId, count])).toEqual([
      ['ada', 4],
      ['eve', 1],
    ]);
    expect(detail.releases).toEqual([{ release: '1.1', count: 5 }]);
    expect(detail.traces).toHaveLength(5);
    expect(detail.traces[0]?.error.errorMessage).toContain('no rate');
  });

  test('are compared with successful requests to the same endpoints; the values that differ most are listed first', async () => {
    const { send, list, compare } = await aScene();
    const times = (count: number, asked: SentError) => Array.from({ length: count }, () => asked);
    const failed = { message: 'no rate', release: '1.1', country: 'UK' };
    await send(
      ...times(30, { ...failed, user: 'ada', plan: 'gold' }),
      ...times(10, { ...failed, user: 'bob', plan: 'free' }),
      ...times(50, { release: '1.0', country: 'GB', user: 'bob', plan: 'free' }),
      ...times(10, { release: '1.1', country: 'GB', user: 'ada', plan: 'gold' }),
      // Neither requests to other endpoints nor other errors count.
      ...times(40, { path: '/other', release: '1.1', country: 'UK' }),
      ...times(40, { message: 'timed out', release: '1.1', country: 'UK', plan: 'gold' }),
    );
    const id = (await list()).find(({ message }) => message === 'no rate')?.id ?? '';
    const comparison = await compare(id);
    expect(comparison).toMatchObject({ matching: 40, others: 60, sampledOneIn: 1 });
    expect(comparison.differences.map(({ term, inside, outside }) => [term, inside, outside])).toEqual([
      ['country:UK', 1, 0],
      ['release:1.1', 1, 1 / 6],
      ['user:ada', 0.75, 1 / 6],
      ['attribute:plan:gold', 0.75, 1 / 6],
    ]);
  });

  test.runIf(isThorough())('show no differences if only two requests failed', async () => {
    const { send, list, compare } = await aScene();
    await send(
      ...[1, 2].map((id) => ({ ...NO_RATE(id), country: 'UK' })),
      ...Array.from({ length: 60 }, () => ({ country: 'GB' })),
    );
    const [two] = await list();
    expect(await compare(two?.id ?? '')).toMatchObject({ matching: 2, differences: [] });
    await send({ ...NO_RATE(3), country: 'UK' });
    expect((await compare(two?.id ?? '')).differences[0]?.term).toBe('country:UK');
  });

  test('do not include errors of another project', async () => {
    const [one, other] = [await aScene(), await aScene()];
    await one.send(NO_RATE(1));
    await other.send({ message: 'other' });
    const id = (await one.list())[0]?.id ?? '';
    await expect(other.read(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(other.compare(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(other.update(id, { state: 'resolved' })).rejects.toMatchObject({ code: 'not_found' });
    const params = { id: one.project.id, errorId: id };
    await expect(other.person.client.call(routes.errors.read, { params, query: {} })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await one.list()).toMatchObject([{ id, state: 'new' }]);
  });

  test.each(pickRows([['x'], ["' OR 1=1 --"], ['F'.repeat(32)], ['f'.repeat(32)]], { usually: 1 }))(
    'with the id %s do not exist',
    async (id) => {
      const { read, send } = await aScene();
      await send(NO_RATE(1));
      await expect(read(id)).rejects.toMatchObject({ code: 'not_found' });
    },
  );

  test('cannot be listed for an unsupported number of days, and cannot get an unknown state or a note that is too long', async () => {
    const { list, update, send } = await aScene();
    await send(NO_RATE(1));
    await expect(list({ days: '8' })).rejects.toMatchObject({ code: 'validation_failed' });
    const id = (await list())[0]?.id ?? '';
    await expect(update(id, { note: 'x'.repeat(1001) })).rejects.toMatchObject({ code: 'validation_failed' });
    // biome-ignore lint/suspicious/noExplicitAny: the test sends an invalid state on purpose
    await expect(update(id, { state: 'closed' } as any)).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
