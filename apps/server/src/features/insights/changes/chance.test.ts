import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findHigherRate } from './chance.ts';

/** Adds up the binomial distribution term by term. */
function addTerms(now: { count: number; requests: number }, before: { count: number; requests: number }) {
  const all = now.count + before.count;
  const share = now.requests / (now.requests + before.requests);
  let sum = 0;
  for (let count = now.count; count <= all; count += 1) {
    let term = share ** count * (1 - share) ** (all - count);
    for (let at = 1; at <= count; at += 1) term *= (all - count + at) / at;
    sum += term;
  }
  return sum;
}

const counted = fc
  .record({ count: fc.integer({ min: 0, max: 40 }), others: fc.integer({ min: 1, max: 5000 }) })
  .map(({ count, others }) => ({ count, requests: count + others }));

test('the probability equals the sum of the binomial distribution, and is 1 if the rate did not rise', () => {
  fc.assert(
    fc.property(counted, counted, (now, before) => {
      const rose = now.count / now.requests > before.count / before.requests;
      expect(findHigherRate(now, before)).toBeCloseTo(rose ? addTerms(now, before) : 1, 8);
    }),
  );
});

test('five errors of a rare error are less surprising if the earlier period had only four', () => {
  const now = { count: 5, requests: 107 };
  expect(findHigherRate(now, { count: 4, requests: 1000 })).toBeCloseTo(0.000_76, 5);
  expect(findHigherRate(now, { count: 400, requests: 100_000 })).toBeCloseTo(0.000_087, 5);
});

test('counts of millions have a probability, too', () => {
  const before = { count: 1_000_000, requests: 100_000_000 };
  expect(findHigherRate({ count: 101_000, requests: 10_000_000 }, before)).toBeGreaterThan(1e-4);
  expect(findHigherRate({ count: 110_000, requests: 10_000_000 }, before)).toBeLessThan(1e-100);
});
