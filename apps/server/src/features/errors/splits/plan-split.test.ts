import { expect, test } from 'vitest';
import { planSplit } from './plan-split.ts';

const HOUR = 3_600_000_000n;
const at = (hours: number) => BigInt(hours) * HOUR;
const placed = (placedId: string, hours: number) => ({ placedId, isPlaced: true, firstMicros: at(hours) });
const unplaced = (hours: number) => ({ placedId: 'none', isPlaced: false, firstMicros: at(hours) });

test('the first function keeps the error, whatever the order of the requests', () => {
  const plan = { firstId: 'a', knownMicros: null, heirs: [] };
  expect(planSplit([placed('a', 1), placed('b', 2), unplaced(3)], at(3))).toEqual(plan);
  expect(planSplit([unplaced(3), placed('b', 2), placed('a', 1)], at(3))).toEqual(plan);
});

test.each([
  ['one function', [placed('a', 1)]],
  ['one function and requests without a function', [placed('a', 2), unplaced(1)]],
  ['no function', [unplaced(1)]],
  ['no requests', []],
])('an error with %s is not split', (_what, requests) => {
  expect(planSplit(requests, at(100))).toBeUndefined();
});

test('an error from before functions were known is split a day after the first known function', () => {
  const requests = [unplaced(1), placed('a', 10), placed('b', 33), placed('c', 34)];
  expect(planSplit(requests, at(34) - 1n)).toBeUndefined();
  expect(planSplit(requests, at(34))).toEqual({
    firstId: 'a',
    knownMicros: { since: at(1), until: at(34) },
    heirs: ['b'],
  });
});
