import { createFakeClock, type FakeClock } from '@throughline/testkit';
import { storesOfFile } from '@throughline/testkit/stores';
import { isThorough } from '@throughline/testkit/thorough';
import { afterEach, describe, expect, test } from 'vitest';
import { deletionTimes } from '../../platform/control-store/index.ts';
import { createLog } from '../../platform/log.ts';
import { createDeletionClock } from './deletion-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = new Date('2026-11-21T12:00:00Z');
const stores = storesOfFile();

function aServer(clock: FakeClock, { shared = false } = {}) {
  const lines: unknown[] = [];
  const log = createLog('silent');
  log.warn = (_facts: unknown, text?: string) => lines.push(text);
  return { ...createDeletionClock({ control: stores.control, clock, log, shared }), lines };
}
type Server = ReturnType<typeof aServer>;

/** Runs a server for some hours and reads the clock each hour. Returns the trusted time. */
async function run(server: Server, clock: FakeClock, hours: number): Promise<Date | undefined> {
  let time = await server.observe();
  for (let hour = 0; hour < hours; hour += 1) {
    clock.advance(HOUR_MS);
    time = await server.observe();
  }
  return time;
}
const jump = (clock: FakeClock, ms: number) => clock.set(new Date(clock.now().getTime() + ms));

afterEach(() => stores.control.db.delete(deletionTimes));

describe('the trusted time, which decides whether traces have expired,', () => {
  test('is unknown on the first day of observation, and then equals the time of a correct clock', async () => {
    const clock = createFakeClock(START);
    const server = aServer(clock);
    expect(await run(server, clock, 23)).toBeUndefined();
    expect(await run(server, clock, 1)).toEqual(clock.now());
    expect(await run(server, clock, 100)).toEqual(clock.now());
    expect(server.lines).toEqual([]);
  });

  test('stays behind a clock that jumps ahead, even across restarts, until the server has run for a day', async () => {
    const clock = createFakeClock(START);
    await run(aServer(clock), clock, 30);
    const before = clock.now().getTime();
    jump(clock, 120 * DAY_MS);
    const server = aServer(clock);
    expect(await run(server, clock, 12)).toEqual(new Date(before + 12 * HOUR_MS));
    expect(server.aheadMs()).toBe(120 * DAY_MS);
    expect(server.lines).toEqual([expect.stringContaining('the clock is days ahead')]);
    const again = aServer(clock);
    expect(await run(again, clock, 11)).toEqual(new Date(before + 23 * HOUR_MS));
    expect(await run(again, clock, 25)).toEqual(clock.now());
    expect(again.aheadMs()).toBeNull();
  });

  test.runIf(isThorough())('ignores a jump of the clock that is corrected later', async () => {
    const clock = createFakeClock(START);
    const server = aServer(clock);
    await run(server, clock, 30);
    jump(clock, 120 * DAY_MS);
    await run(server, clock, 20);
    jump(clock, -120 * DAY_MS);
    expect(await run(server, clock, 100)).toEqual(clock.now());
    expect(server.aheadMs()).toBeNull();
  });

  test.runIf(isThorough())(
    'catches up with the clock within a day or two after the server was off for weeks',
    async () => {
      const clock = createFakeClock(START);
      await run(aServer(clock), clock, 30);
      jump(clock, 21 * DAY_MS);
      const server = aServer(clock);
      expect(await server.observe()).toEqual(new Date(clock.now().getTime() - 21 * DAY_MS));
      expect(await run(server, clock, 48)).toEqual(clock.now());
    },
  );

  test('is measured by only one of several servers, and does not follow the wrong clock of another server', async () => {
    const [right, wrong] = [createFakeClock(START), createFakeClock(START)];
    const servers = [aServer(right, { shared: true }), aServer(wrong, { shared: true })] as const;
    const both = async (hours: number) => {
      let time: Date | undefined;
      for (let hour = 0; hour < hours; hour += 1) {
        for (const clock of [right, wrong]) clock.advance(HOUR_MS);
        await servers[1].observe();
        time = await servers[0].observe();
      }
      return time;
    };
    expect(await both(24)).toBeUndefined();
    expect(await both(3)).toEqual(right.now());
    jump(wrong, 120 * DAY_MS);
    expect(await both(100)).toEqual(right.now());
  });
});
