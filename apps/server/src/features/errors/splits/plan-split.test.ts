import { expect, test } from 'vitest';
import { listHeirs, planSplit } from './plan-split.ts';

const HOUR = 3_600_000_000n;
const at = (hours: number) => BigInt(hours) * HOUR;
const placed = (placedId: string, hours: number) => ({ placedId, isPlaced: true, firstMicros: at(hours) });
const unplaced = (hours: number) => ({ placedId: 'none', isPlaced: false, firstMicros: at(hours) });

test('when an error is split, the function that failed first keeps its id, in whatever order the requests are listed', () => {
  const plan = { firstId: 'a', knownMicros: null, others: [{ placedId: 'b' }] };
  expect(planSplit([placed('a', 1), placed('b', 2), unplaced(3)], at(3))).toMatchObject(plan);
  expect(planSplit([unplaced(3), placed('b', 2), placed('a', 1)], at(3))).toMatchObject(plan);
});

test.each([
  ['one function', [placed('a', 1)]],
  ['one function and requests without a function', [placed('a', 2), unplaced(1)]],
  ['no function', [unplaced(1)]],
  ['no requests', []],
])('an error with %s is not split', (_what, requests) => {
  expect(planSplit(requests, at(100))).toBeUndefined();
});

test('an error with requests whose function is unknown is split a day after the first request whose function is known', () => {
  const requests = [unplaced(1), placed('a', 10), placed('b', 33), placed('c', 34)];
  expect(planSplit(requests, at(34) - 1n)).toBeUndefined();
  expect(planSplit(requests, at(34))).toMatchObject({
    firstId: 'a',
    knownMicros: { since: at(1), until: at(34) },
  });
});

test.each([
  ['before all stored requests: those of the first day', [], 5, ['b']],
  ['before some functions failed: those that had failed', [], 12, []],
  ['after all functions failed: all of them', [], 50, ['b', 'c']],
  ['before functions were known: those of the first day', [unplaced(1)], 5, ['b']],
  ['on the first day with known functions: those of the first day', [unplaced(1)], 12, ['b']],
  ['after the first day with known functions: those that had failed', [unplaced(1)], 50, ['b', 'c']],
])(
  'the functions that keep the decision about a split error depend on when the decision was made: %s',
  (_when, before, decided, heirs) => {
    const plan = planSplit([...before, placed('a', 10), placed('b', 33), placed('c', 40)], at(100));
    expect(plan === undefined ? undefined : listHeirs(plan, at(decided))).toEqual(heirs);
  },
);
