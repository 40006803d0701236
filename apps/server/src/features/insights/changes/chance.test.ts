import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findHigherRate, findHigherRateIn } from './chance.ts';

interface Counted {
  count: number;
  requests: number;
}

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

/** Computes the exact probability that `now` has at least as many counts as given, over all strata together. */
function addStrata(strata: readonly { now: Counted; before: Counted }[]) {
  let chances = [1];
  for (const { now, before } of strata) {
    const share = now.requests / (now.requests + before.requests);
    for (let one = 0; one < now.count + before.count; one += 1) {
      chances = [...chances, 0].map(
        (chance, count) => chance * (1 - share) + (chances[count - 1] ?? 0) * share,
      );
    }
  }
  const count = strata.reduce((sum, { now }) => sum + now.count, 0);
  return chances.slice(count).reduce((sum, chance) => sum + chance, 0);
}

test('the probability for several strata is never below the exact probability', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ now: counted, before: counted }), { minLength: 1, maxLength: 6 }),
      (strata) => {
        expect(findHigherRateIn(strata)).toBeGreaterThanOrEqual(addStrata(strata) - 1e-8);
      },
    ),
    { numRuns: 300 },
  );
});

test('different rates by night and by day are not mistaken for a rise', () => {
  const night = { now: { count: 10, requests: 100 }, before: { count: 10, requests: 100 } };
  const day = { now: { count: 0, requests: 10 }, before: { count: 1, requests: 1000 } };
  const sum = { now: { count: 10, requests: 110 }, before: { count: 11, requests: 1100 } };
  expect(findHigherRateIn([night, day])).toBeGreaterThan(0.4);
  expect(findHigherRateIn([sum])).toBeLessThan(1e-4);
});

test('five errors are more likely due to chance if the earlier rate was computed from four errors than if it was computed from 400 errors', () => {
  const now = { count: 5, requests: 107 };
  expect(findHigherRate(now, { count: 4, requests: 1000 })).toBeCloseTo(0.000_76, 5);
  expect(findHigherRate(now, { count: 400, requests: 100_000 })).toBeCloseTo(0.000_087, 5);
});

test('the probability is also computed for counts in the millions', () => {
  const before = { count: 1_000_000, requests: 100_000_000 };
  expect(findHigherRate({ count: 101_000, requests: 10_000_000 }, before)).toBeGreaterThan(1e-4);
  expect(findHigherRate({ count: 110_000, requests: 10_000_000 }, before)).toBeLessThan(1e-100);
});
