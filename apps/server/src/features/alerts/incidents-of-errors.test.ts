import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AlertIncident, routes } from '@throughline/contract';
import { createFakeClock, startServer, type TestServer } from '@throughline/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startErrorScene } from '../errors/fixtures/error-scene.ts';

const MINUTE_MS = 60_000;
const MESSAGE = "Cannot read properties of undefined (reading 'id')";
const TAX = { function: 'taxFor', file: 'src/tax.ts' };
const PRICE = { function: 'priceOf', file: 'src/price.ts' };
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const WHOLE = md5(`shop\n${MESSAGE}`);
const OTHER = md5('shop\nother');
const idIn = ({ function: name, file }: typeof TAX) => md5(`${WHOLE}TypeError\n${name}\n${file}`);

let server: TestServer;
const clock = createFakeClock(new Date());
beforeAll(async () => {
  // The rules are checked when a test advances the timers.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  server = await startServer({ clock });
});
afterAll(async () => {
  await server.stop();
  vi.useRealTimers();
});

async function startScene() {
  const scene = await startErrorScene(server);
  const { client } = scene.person;
  const { id } = scene.project;
  const params = { id };
  for (const kind of ['new_error', 'reopened_error'] as const) {
    const body = { kind, slackUrl: 'https://hooks.example/services/secret' };
    await client.call(routes.alerts.create, { params, body });
  }
  const listErrors = async (search = '') => {
    const { incidents } = await client.call(routes.alerts.incidents, { params, query: { search } });
    return incidents.flatMap(({ error }) => (error === null ? [] : [error]));
  };
  return {
    ...scene,
    listErrors,
    /**
     * Sends a failed request that began a minute before the clock's time, and waits until errors have opened the given number of incidents.
     */
    async failIn(thrownIn: typeof TAX, incidents: number) {
      clock.advance(5 * MINUTE_MS);
      const hoursAgo = (Date.now() - clock.now().getTime() + MINUTE_MS) / 3_600_000;
      await scene.send({ message: MESSAGE, thrownIn, hoursAgo });
      // A rule is due a minute after its last check. That check can still be running when the timers advance, so one advance is not always
      // enough.
      do {
        clock.advance(MINUTE_MS);
        vi.advanceTimersByTime(15_000);
        await sleep(50);
      } while ((await listErrors()).length < incidents);
    },
    countTraces: async ({ requestIds }: NonNullable<AlertIncident['error']>) => {
      const query = { projectId: id, errorIds: requestIds.join(',') };
      return (await client.call(routes.traces.list, { query })).traces.length;
    },
    removeTraces: () => client.call(routes.traces.removeOfProject, { params }),
    merge: (errorId: string, ...errorIds: string[]) =>
      client.call(routes.errors.merge, { params: { id, errorId }, body: { errorIds } }),
    splitOff: (errorId: string, mergedId: string) =>
      client.call(routes.errors.splitOff, { params: { id, errorId, mergedId } }),
  };
}

test('an incident still links only to the requests of its own error after another function threw the same message', async () => {
  const { failIn, listErrors, countTraces, merge, removeTraces } = await startScene();
  await failIn(TAX, 1);
  await failIn(TAX, 1);
  await failIn(PRICE, 2);
  const [price, tax] = await listErrors();
  expect([price, tax]).toMatchObject([
    { id: idIn(PRICE), hasRequests: true },
    { id: WHOLE, hasRequests: true },
  ]);
  expect(await Promise.all([price, tax].map((error) => error && countTraces(error)))).toEqual([1, 2]);
  await merge(WHOLE, idIn(PRICE));
  expect((await listErrors()).map(({ id }) => id)).toEqual([WHOLE, WHOLE]);
  await removeTraces();
  expect((await listErrors()).map(({ hasRequests }) => hasRequests)).toEqual([false, false]);
});

test('a search finds incidents by the words of their error, which are encrypted in the database', async () => {
  const { failIn, listErrors } = await startScene();
  await failIn(TAX, 1);
  expect(await listErrors('READING undefined')).toMatchObject([{ id: WHOLE, message: MESSAGE }]);
  expect(await listErrors('reading nothing')).toEqual([]);
});

test('an incident that began before its error was split is about the function that failed when the incident began', async () => {
  const { send, list, update, merge, splitOff, failIn, listErrors, countTraces } = await startScene();
  await send({ message: 'other', hoursAgo: 2 }, { message: MESSAGE, thrownIn: TAX, hoursAgo: 2 });
  await merge(WHOLE, OTHER);
  await update(WHOLE, { state: 'resolved' });
  await failIn(PRICE, 1);
  await failIn(TAX, 1);
  expect(await listErrors()).toMatchObject([{ id: WHOLE }]);
  await splitOff(WHOLE, OTHER);
  await list();
  const [reopened] = await listErrors();
  expect(reopened).toMatchObject({ id: idIn(PRICE), hasRequests: true });
  expect(await countTraces(reopened ?? expect.fail())).toBe(1);
});
