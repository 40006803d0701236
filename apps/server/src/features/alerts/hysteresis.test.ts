import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advance, type Bounds, MAX_GAP_MS, type MetricState } from './hysteresis.ts';
import { isQuiet } from './quiet-hours.ts';

const MINUTE_MS = 60_000;
const NEW: MetricState = { firing: false, aboveSince: null, belowSince: null, peak: null, checkedAt: null };
const BOUNDS: Bounds = { threshold: 10, recovery: 8, lastingMs: 3 * MINUTE_MS };

/** Calls `advance` with one value per minute. Lists the minutes in which an incident began or ended. */
function watch(values: readonly (number | null)[], bounds = BOUNDS): string[] {
  let standing = NEW;
  return values.flatMap((value, minute) => {
    const next = advance(standing, bounds, minute * MINUTE_MS, value);
    standing = next.standing;
    return next.change === null ? [] : [`${minute} ${next.change.kind}`];
  });
}

describe('a rule with a threshold', () => {
  test('fires once the value has been above the threshold for the minutes that the rule requires, and recovers after the same number of minutes at or below the recovery bound', () => {
    expect(watch([1, 11, 11, 11, 11, 12, 9, 9, 9, 9, 8, 7, 7, 7, 7])).toEqual(['4 fires', '13 recovers']);
  });

  test("neither fires nor recovers if the value is above the threshold, or below the recovery bound, for a shorter time than the rule's minutes", () => {
    expect(watch([11, 11, 11, 9, 11, 11, 11, 10, 11])).toEqual([]);
    expect(watch([11, 11, 11, 11, 7, 7, 7, 9, 7, 7, 7])).toEqual(['3 fires']);
  });

  test('neither begins nor ends an incident while there are no requests', () => {
    expect(watch([11, 11, 11, null, 11, 11, 11])).toEqual([]);
    expect(watch([11, 11, 11, 11, ...Array.from({ length: 20 }, () => null)])).toEqual(['3 fires']);
  });

  test('does not count time in which the rule was not checked', () => {
    const first = advance(NEW, BOUNDS, 0, 11).standing;
    expect(advance(first, BOUNDS, MAX_GAP_MS + 1, 11).change).toBeNull();
  });

  test('keeps the highest value from the first minute above the threshold until the incident is over', () => {
    const peaks: (number | null)[] = [];
    let standing = NEW;
    const values = [99, 1, 11, 40, null, 12, 12, 12, 12, 60, 13, 7, 7, 7, 7];
    for (const [minute, value] of values.entries()) {
      standing = advance(standing, BOUNDS, minute * MINUTE_MS, value).standing;
      peaks.push(standing.peak);
    }
    expect(peaks).toEqual([99, null, 11, 40, null, 12, 12, 12, 12, 60, 60, 60, 60, 60, null]);
  });

  test('fires and recovers in exactly the minutes that a simple search through the earlier values finds', () => {
    const run = fc.oneof(
      fc.array(fc.integer({ min: 10, max: 13 }), { maxLength: 9 }),
      fc.array(fc.option(fc.integer({ min: 6, max: 9 }), { freq: 20 }), { maxLength: 9 }),
    );
    const figures = fc.array(run, { maxLength: 20 }).map((runs) => runs.flat());
    fc.assert(
      fc.property(figures, fc.integer({ min: 0, max: 6 }), (values, minutes) => {
        const expected: string[] = [];
        let [firing, changed] = [false, -1];
        for (const minute of values.keys()) {
          // The state changes only if the values of the last `minutes` minutes and of the current minute all meet the condition, and if all
          // of them were measured after the previous change.
          const begin = minute - minutes;
          const last = values.slice(Math.max(0, begin), minute + 1);
          const isRight = (value: number | null) => value !== null && (firing ? value <= 8 : value > 10);
          if (begin <= changed || !last.every(isRight)) continue;
          expected.push(`${minute} ${firing ? 'recovers' : 'fires'}`);
          [firing, changed] = [!firing, minute];
        }
        expect(watch(values, { ...BOUNDS, lastingMs: minutes * MINUTE_MS })).toEqual(expected);
      }),
    );
  });
});

describe('quiet hours', () => {
  const night = { from: '22:00', until: '07:00', timeZone: 'Europe/Berlin' };

  test.each([
    ['2026-01-15T20:59:00Z', false],
    ['2026-01-15T21:00:00Z', true],
    ['2026-01-16T05:59:00Z', true],
    ['2026-01-16T06:00:00Z', false],
    // In summer, Berlin is two hours ahead of UTC instead of one, so in UTC the quiet hours begin and end an hour earlier than in winter.
    ['2026-07-15T20:00:00Z', true],
    ['2026-07-16T05:00:00Z', false],
  ])('at %s are on: %s', (at, quiet) => {
    expect(isQuiet(night, new Date(at))).toBe(quiet);
  });

  test('can begin and end on the same day, and then end at their end time; a rule without quiet hours is never quiet', () => {
    const noon = { from: '12:00', until: '13:30', timeZone: 'UTC' };
    expect(isQuiet(noon, new Date('2026-01-15T13:29:00Z'))).toBe(true);
    expect(isQuiet(noon, new Date('2026-01-15T13:30:00Z'))).toBe(false);
    expect(isQuiet(null, new Date())).toBe(false);
  });
});
