import fc from 'fast-check';
import { expect, test } from 'vitest';
import { observe, type TrustedTime } from './trusted-time.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 10, 23);

/** Reads the clock once per hour. `aheadMs` returns by how much the clock is ahead in that hour. */
function hours(count: number, aheadMs: (hour: number) => number, before?: TrustedTime) {
  let held = before;
  for (let hour = 0; hour <= count; hour += 1) {
    const reading = { nowMs: START_MS + hour * HOUR_MS + aheadMs(hour), ranMs: hour === 0 ? 0 : HOUR_MS };
    held = observe(held, reading);
  }
  return held;
}

test('the trusted time begins after the server has run for a day, and then equals a correct clock', () => {
  expect(hours(23, () => 0)?.trustedMs).toBeNull();
  expect(hours(24, () => 0)?.trustedMs).toBe(START_MS + DAY_MS);
  expect(hours(100, () => 0)?.trustedMs).toBe(START_MS + 100 * HOUR_MS);
});

test('a clock that jumps 120 days ahead is not trusted after one day of uptime, but after two days', () => {
  const jump = (hour: number) => (hour < 30 ? 0 : 120 * DAY_MS);
  expect(hours(30 + 24, jump)?.trustedMs).toBe(START_MS + 54 * HOUR_MS);
  expect(hours(30 + 48, jump)?.trustedMs).toBe(START_MS + 78 * HOUR_MS + 120 * DAY_MS);
});

test('a clock jump that is corrected within a day is ignored', () => {
  const jump = (hour: number) => (hour >= 30 && hour < 53 ? 120 * DAY_MS : 0);
  expect(hours(200, jump)?.trustedMs).toBe(START_MS + 200 * HOUR_MS);
});

/** A clock reading, and the running time of the server from the first reading to this reading. */
interface Read {
  readonly nowMs: number;
  readonly atMs: number;
}

/**
 * Computes the trusted time after the last reading, as a simple reference. The first day of running time begins with the first reading. The
 * reading that completes a day begins the next one. Each complete day confirms the latest time that agrees with all readings since the
 * day's start. The result is the largest of these times.
 */
function findTrusted(reads: readonly Read[]): number | null {
  const last = reads.at(-1)?.atMs ?? 0;
  const allowed: number[] = [];
  for (let begin = 0, at = 0; at < reads.length; at += 1) {
    if ((reads[at]?.atMs ?? 0) - (reads[begin]?.atMs ?? 0) < DAY_MS) continue;
    allowed.push(Math.min(...reads.slice(begin).map(({ nowMs, atMs }) => nowMs + last - atMs)));
    begin = at;
  }
  return allowed.length === 0 ? null : Math.max(...allowed);
}

test('the trusted time is the latest time that agrees with all readings of a day of uptime and all later readings', () => {
  const readings = fc.array(
    fc.record({
      ran: fc.integer({ min: 0, max: 8 }),
      jump: fc.constantFrom(0, 0, 0, -500, -3, 1, 23, 300, 3000),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(readings, (steps) => {
      let held: TrustedTime | undefined;
      let [nowMs, atMs] = [START_MS, 0];
      const reads: Read[] = [];
      for (const { ran, jump } of steps) {
        nowMs += (ran + jump) * HOUR_MS;
        // The running time before the first reading is unknown.
        atMs += reads.length === 0 ? 0 : ran * HOUR_MS;
        held = observe(held, { nowMs, ranMs: ran * HOUR_MS });
        reads.push({ nowMs, atMs });
        expect(held.trustedMs).toBe(findTrusted(reads));
      }
    }),
  );
});
