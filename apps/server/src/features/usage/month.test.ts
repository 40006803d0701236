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
])('counted from %s, %s is in the month from %s to %s', (anchor, now, start, end) => {
  const month = computeMonth(new Date(anchor), new Date(now));
  expect([month.start.toISOString(), month.end.toISOString()]).toEqual([start, end]);
});

test('each time is in exactly one billing month, and there are no gaps between months', () => {
  const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(instant, instant, (anchor, now) => {
      const { start, end } = computeMonth(anchor, now);
      expect(start <= now && now < end).toBe(true);
      expect(computeMonth(anchor, end).start).toEqual(end);
      expect(computeMonth(anchor, start).start).toEqual(start);
      expect(computeMonth(anchor, new Date(end.getTime() - 1)).end).toEqual(end);
    }),
    { numRuns: 1000 },
  );
});
