import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeMonth } from './month.ts';

test.each([
  [
    '2026-01-15T10:00:00.000Z',
    '2026-01-15T10:00:00.000Z',
    '2026-01-15T10:00:00.000Z',
    '2026-02-15T10:00:00.000Z',
  ],
  [
    '2026-01-15T10:00:00.000Z',
    '2026-02-15T09:59:59.999Z',
    '2026-01-15T10:00:00.000Z',
    '2026-02-15T10:00:00.000Z',
  ],
  [
    '2026-01-31T00:00:00.000Z',
    '2026-03-01T00:00:00.000Z',
    '2026-02-28T00:00:00.000Z',
    '2026-03-31T00:00:00.000Z',
  ],
  [
    '2024-01-31T12:00:00.000Z',
    '2024-02-29T12:00:00.000Z',
    '2024-02-29T12:00:00.000Z',
    '2024-03-31T12:00:00.000Z',
  ],
  [
    '2025-12-10T00:00:00.000Z',
    '2027-01-01T00:00:00.000Z',
    '2026-12-10T00:00:00.000Z',
    '2027-01-10T00:00:00.000Z',
  ],
  [
    '1970-01-01T00:00:00.000Z',
    '2026-11-21T15:00:00.000Z',
    '2026-11-01T00:00:00.000Z',
    '2026-12-01T00:00:00.000Z',
  ],
])('for the anchor %s, %s is in the billing month from %s to %s', (anchor, now, start, end) => {
  const month = computeMonth(new Date(anchor), new Date(now));
  expect([month.start.toISOString(), month.end.toISOString()]).toEqual([start, end]);
});

/** Returns the anchor's day and time of day in another month, or the last day of that month if the month is too short. */
function findStart(anchor: Date, months: number): Date {
  const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + months];
  let day = anchor.getUTCDate();
  while (new Date(Date.UTC(year, month, day)).getUTCMonth() !== ((month % 12) + 12) % 12) day -= 1;
  const time = [
    anchor.getUTCHours(),
    anchor.getUTCMinutes(),
    anchor.getUTCSeconds(),
    anchor.getUTCMilliseconds(),
  ];
  return new Date(Date.UTC(year, month, day, ...time));
}

test('the billing month of any time is the month found by stepping from the anchor in whole months', () => {
  const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(instant, instant, (anchor, now) => {
      let months = 0;
      while (findStart(anchor, months) > now) months -= 1;
      while (findStart(anchor, months + 1) <= now) months += 1;
      const [start, end] = [findStart(anchor, months), findStart(anchor, months + 1)];
      for (const at of [now, start, new Date(end.getTime() - 1)])
        expect(computeMonth(anchor, at)).toEqual({ start, end });
    }),
    { numRuns: 200 },
  );
});
