import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { routes } from '@throughline/contract';
import { createFakeClock, startServer, type TestServer } from '@throughline/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startErrorScene } from '../fixtures/error-scene.ts';

const HOUR_MS = 3_600_000;
const MESSAGE = "Cannot read properties of undefined (reading 'id')";
const TAX = { message: MESSAGE, thrownIn: { function: 'taxFor', file: 'src/tax.ts' } };
const PRICE = { message: MESSAGE, thrownIn: { function: 'priceOf', file: 'src/price.ts' } };
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const WHOLE = md5(`shop\n${MESSAGE}`);
const OF_TAX = md5(`${WHOLE}TypeError\ntaxFor\nsrc/tax.ts`);
const OF_PRICE = md5(`${WHOLE}TypeError\npriceOf\nsrc/price.ts`);
const OTHER = md5('shop\nother');

const clock = createFakeClock(new Date());
let server: TestServer;
beforeAll(async () => {
  // Expired data is deleted when the test advances the timers.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  server = await startServer({ clock });
});
afterAll(async () => {
  await server.stop();
  vi.useRealTimers();
});

/** Creates a project with an error that was split by function. */
async function aScene() {
  const scene = await startErrorScene(server);
  const params = { id: scene.project.id };
  const { client } = scene.person;
  await scene.send(
    { ...TAX, hoursAgo: 0.5 },
    { ...PRICE, hoursAgo: 0.4 },
    { message: 'other', hoursAgo: 0.3 },
  );
  expect((await scene.list()).map(({ id }) => id)).toEqual([OTHER, OF_PRICE, WHOLE]);
  const merge = (errorId: string, ...errorIds: string[]) =>
    client.call(routes.errors.merge, { params: { ...params, errorId }, body: { errorIds } });
  return {
    ...scene,
    removeTraces: () => client.call(routes.traces.removeOfProject, { params }),
    merge,
    /** True while the split is stored. `OF_TAX`, the hash of the first function, is then another id of the error `WHOLE`. */
    async isSplit() {
      const answer = merge(OF_TAX, OF_TAX);
      return (
        (await answer.then(
          ({ errorId }) => errorId,
          () => '',
        )) === WHOLE
      );
    },
    /** Sends a request that failed in the second function, and returns its error. */
    async failInPrice() {
      await scene.send({ ...PRICE, hoursAgo: (Date.now() - clock.now().getTime()) / HOUR_MS });
      const [error] = await scene.list({ state: 'all' });
      return error ?? expect.fail();
    },
  };
}

/** Lets the server run for some hours. */
async function passHours(hours: number) {
  clock.advance(hours * HOUR_MS);
  vi.advanceTimersByTime(hours * HOUR_MS);
  await sleep(100);
}

test('the split of an error is deleted when the error has no traces any more, unless a decision about one of its functions needs the split', async () => {
  const [forgotten, noted, reopened, merged, stored] = [
    await aScene(),
    await aScene(),
    await aScene(),
    await aScene(),
    await aScene(),
  ];
  await noted.update(OF_PRICE, { note: 'of the price' });
  await reopened.update(OF_PRICE, { state: 'ignored' });
  await reopened.update(OF_PRICE, { state: 'open' });
  await merged.merge(OTHER, OF_PRICE);
  for (const scene of [forgotten, noted, reopened, merged]) await scene.removeTraces();
  // Nothing is deleted until a day of running time confirmed the clock.
  while (await forgotten.isSplit()) await passHours(7);
  // The projects are examined in the order of their ids, in one sweep.
  while (await reopened.isSplit()) await passHours(7);
  await passHours(7);
  expect(await forgotten.failInPrice()).toMatchObject({ id: WHOLE });
  expect(await noted.failInPrice()).toMatchObject({ id: OF_PRICE, note: 'of the price' });
  expect(await reopened.failInPrice()).toMatchObject({ id: WHOLE, note: '' });
  expect(await merged.failInPrice()).toMatchObject({ id: OTHER });
  expect(await stored.failInPrice()).toMatchObject({ id: OF_PRICE });
}, 120_000);
