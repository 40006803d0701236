import { routes } from '@throughline/contract';
import { createFakeClock, makeOrganization, makeProject, sendTraces } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const MANY = 50_000;
const clock = createFakeClock(new Date());
const file = serverOfFile({ clock });

const request = (minutesAgo: number) => ({
  request: { method: 'GET', path: '/orders' },
  timing: { startTime: new Date(clock.now().getTime() - minutesAgo * MINUTE_MS).toISOString(), duration: 10 },
});

async function openProject() {
  const { owner } = await makeOrganization(file.server, 'enterprise_plus');
  const { id, apiKey } = await makeProject(owner);
  return {
    send: (count: number, minutesAgo: number, more: object = {}) =>
      sendTraces(
        file.server,
        apiKey,
        Array.from({ length: count }, () => ({ ...request(minutesAgo), ...more })),
      ),
    eraseUser: (userId: string) => owner.client.call(routes.traces.eraseUser, { params: { id, userId } }),
    read: async () => {
      const { insights } = await owner.client.call(routes.analytics.insights, { params: { id } });
      return [insights.requestCount, insights.examinedUntil];
    },
  };
}

test('insights of a small project contain the newest requests', async () => {
  const { send, read } = await openProject();
  const now = clock.now().toISOString();
  await send(1, 5);
  expect(await read()).toEqual([1, now]);
  await send(1, 5);
  expect(await read()).toEqual([2, now]);
});

test.runIf(isThorough())(
  'insights of many requests are cached for some minutes, unless a request older than two hours arrives late',
  { timeout: 300_000 },
  async () => {
    const { send, read } = await openProject();
    for (let sent = 0; sent < MANY; sent += 5000) await send(5000, 30);
    const first = clock.now().toISOString();
    expect(await read()).toEqual([MANY, first]);
    await send(1, 5);
    clock.advance(4 * MINUTE_MS);
    expect(await read()).toEqual([MANY, first]);
    clock.advance(10 * MINUTE_MS);
    const second = clock.now().toISOString();
    expect(await read()).toEqual([MANY + 1, second]);
    await send(1, 180);
    clock.advance(MINUTE_MS);
    expect(await read()).toEqual([MANY + 2, clock.now().toISOString()]);
  },
);

test.runIf(isThorough())(
  'insights of many requests contain nothing of a user whose data was deleted',
  { timeout: 300_000 },
  async () => {
    const { send, read, eraseUser } = await openProject();
    for (let sent = 0; sent < MANY; sent += 5000) await send(5000, 30);
    await send(3, 5, { user: { id: 'ada' } });
    expect((await read())[0]).toBe(MANY + 3);
    await eraseUser('ada');
    expect((await read())[0]).toBe(MANY);
  },
);
