import { expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.ts';

/** Takes memory byte by byte until the budget refuses a byte. Returns the number of bytes that the owner received. */
function takeAll(budget: ByteBudget, owner: string): number {
  for (let pieces = 0; ; pieces += 1) {
    try {
      budget.open(owner).take(1);
    } catch {
      return pieces;
    }
  }
}

test('one owner can use at most two thirds of the memory, and a second owner two thirds of the rest', () => {
  const budget = new ByteBudget(900);
  expect(takeAll(budget, 'flood')).toBe(600);
  expect(takeAll(budget, 'other')).toBe(200);
  expect(budget.used).toBe(800);
});

test('an owner that uses no memory yet can use all free memory for its first batch', () => {
  const budget = new ByteBudget(900);
  budget.open('large').take(900);
  expect(() => budget.open('late').take(1)).toThrow(expect.objectContaining({ code: 'overloaded' }));
});
