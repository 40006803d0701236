import { expect, test } from 'vitest';
import { computeDeletionCutoff, type SeenRetention } from './cutoff.ts';

const HOUR_MS = 3_600_000;
const now = new Date('2026-11-21T12:00:00Z');
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
const seen = (hours: number, first: number, last: number): SeenRetention => ({
  hours,
  firstSeenAt: ago(first),
  lastSeenAt: ago(last),
});

test.each([
  ['a day after they expired', [seen(168, 5000, 0)], 168, 168 + 24],
  ['by the old retention on the day of a downgrade', [seen(504, 5000, 6), seen(168, 2, 0)], 168, 504 + 24],
  ['by the new retention a day after a downgrade', [seen(504, 5000, 31), seen(168, 25, 0)], 168, 168 + 24],
  [
    'by the longer retention after an upgrade back to it',
    [seen(504, 5000, 0), seen(168, 40, 3)],
    504,
    504 + 24,
  ],
  [
    'by the old retention after a change while no server ran',
    [seen(504, 5000, 200), seen(168, 0, 0)],
    168,
    504 + 24,
  ],
  ['by the current retention if no earlier one was recorded', [], 1, 25],
])('traces are deleted %s', (_when, rows, hours, expected) => {
  expect(computeDeletionCutoff(rows, hours, now)).toEqual(ago(expected));
});
