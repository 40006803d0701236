import { expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.ts';

/** Takes pieces of memory until one is refused. Returns how many the owner received. */
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

test('an owner without memory can use all free memory for its first batch', () => {
  const budget = new ByteBudget(900);
  budget.open('large').take(900);
  expect(() => budget.open('late').take(1)).toThrow(expect.objectContaining({ code: 'overloaded' }));
});
