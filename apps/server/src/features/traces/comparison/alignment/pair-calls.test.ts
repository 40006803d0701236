import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeInputsKey } from './inputs-key.ts';
import { pairCalls } from './pair-calls.ts';

const calls = (inputs: readonly unknown[]) =>
  inputs.map((id) => ({ inputs: { id } as Step['inputs'] }) as Step);
const pair = (left: readonly unknown[], right: readonly unknown[]) => pairCalls(calls(left), calls(right));

test('an additional call at the beginning does not change the pairs of the calls after it', () => {
  expect(pair(['x', 'a', 'b', 'c'], ['a', 'b', 'c'])).toEqual([undefined, 0, 1, 2]);
  expect(pair(['a', 'b', 'c'], ['x', 'a', 'b', 'c'])).toEqual([1, 2, 3]);
});

test('calls with different inputs between two pairs of equal calls are paired in order', () => {
  expect(pair(['x', 'a', 'UK', 'b'], ['a', 'GB', 'b'])).toEqual([undefined, 0, 1, 2]);
  expect(pair(['UK'], ['GB', 'DE'])).toEqual([0]);
});

test('if both requests made the same number of calls, the n-th calls are paired, whatever their inputs', () => {
  expect(pair(['a', 'b'], ['b', 'a'])).toEqual([0, 1]);
});

test('repeated calls with equal inputs are paired in order', () => {
  expect(pair(['a', 'a', 'a', 'a'], ['a', 'a'])).toEqual([0, 1, undefined, undefined]);
});

const inputs = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

test('paired calls have the same order in both requests, and no call is paired twice', () => {
  fc.assert(
    fc.property(inputs, inputs, (left, right) => {
      const partners = pair(left, right).filter((partner) => partner !== undefined);
      expect(partners).toEqual([...new Set(partners)].toSorted((a, b) => a - b));
      for (const partner of partners) expect(right[partner]).toBeDefined();
    }),
  );
});

test('if all calls of a request have different inputs, calls with equal inputs stay paired, wherever calls are inserted', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 30 }),
      fc.infiniteStream(fc.boolean()),
      (all, kept) => {
        const right = all.filter(() => kept.next().value === true);
        fc.pre(right.length > 0 && right.length < all.length);
        expect(pair(all, right)).toEqual(
          all.map((id) => (right.includes(id) ? right.indexOf(id) : undefined)),
        );
      },
    ),
  );
});

test('the key of inputs is short, even if a call received a million values', () => {
  const list = Array.from({ length: 1_000_000 }, (_, at) => at);
  expect(writeInputsKey({ inputs: { list, text: 'a'.repeat(100_000) } }).length).toBeLessThan(2000);
  expect(writeInputsKey({ inputs: { list } })).not.toBe(writeInputsKey({ inputs: { list: list.slice(1) } }));
});
