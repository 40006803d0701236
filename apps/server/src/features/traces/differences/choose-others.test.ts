import { expect, test } from 'vitest';
import { chooseOthers } from './choose-others.ts';

const MINUTE = 60_000_000n;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;
const NOW = 1_000n * DAY;
const at = (from: bigint | undefined, until?: bigint) => ({ filters: {}, attributes: [], from, until });

test.each([
  ['ten minutes', at(NOW - HOUR, NOW - HOUR + 10n * MINUTE), NOW - 2n * HOUR, NOW + 10n * MINUTE],
  ['a day', at(NOW - 2n * DAY, NOW - DAY), NOW - 6n * DAY, NOW + 3n * DAY],
  ['a month', at(NOW - 30n * DAY, NOW), NOW - 37n * DAY, NOW + 7n * DAY],
  ['all since an hour', at(NOW - HOUR), NOW - 5n * HOUR, NOW + 4n * HOUR],
])(
  'requests in a time range of %s are compared with requests before and after the range: on each side four times its length, at least an hour and at most seven days',
  (_name, chosen, from, until) => {
    expect(chooseOthers(chosen, NOW)).toEqual({
      against: 'time',
      all: { filters: {}, attributes: [], from, until },
    });
  },
);

test('failed requests of a route are compared with all requests of the route in the same time range', () => {
  const filters = { status: 'error', route: '/orders', minDuration: 5 } as const;
  expect(chooseOthers({ ...at(NOW - HOUR, NOW), filters }, NOW)).toEqual({
    against: 'outcome',
    all: { ...at(NOW - HOUR, NOW), filters: { route: '/orders' } },
  });
});

test('without a filter, there are no other requests with which to compare', () => {
  expect(chooseOthers({ ...at(undefined), filters: { search: '', excluded: {} } }, NOW)).toBeUndefined();
});
