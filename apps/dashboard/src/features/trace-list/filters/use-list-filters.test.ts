import { expect, it } from 'vitest';
import { isOutdated } from './use-list-filters.ts';

const built = new Date(2026, 10, 21, 14, 2);
const isOutdatedAfter = (last: Parameters<typeof isOutdated>[0], minutes: number) =>
  isOutdated(last, built.getTime(), built.getTime() + minutes * 60_000);

it.each([
  ['15m', 1, 2],
  ['1h', 4, 5],
  ['24h', 90, 2 * 60],
  ['7d', 9 * 60, 10 * 60],
  ['30d', 9 * 60, 10 * 60],
] as const)(
  'a list of the last %s is loaded again once its oldest traces can be out of range',
  (last, before, after) => {
    expect(isOutdatedAfter(last, before)).toBe(false);
    expect(isOutdatedAfter(last, after)).toBe(true);
  },
);

it('a list with a fixed time range is not loaded again when time passes', () => {
  expect(isOutdatedAfter(undefined, 1e6)).toBe(false);
});
