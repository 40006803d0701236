import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_RATIO, compareDistributions, findDurationAt, type Histogram } from './distributions.ts';

const findBucket = (ms: number) => Math.floor(Math.log(ms * 1000 + 1) / Math.log(BUCKET_RATIO));
const buildHistogram = (all: readonly number[]): Histogram =>
  new Map([...Map.groupBy(all, findBucket)].map(([bucket, some]) => [bucket, some.length]));
/**
 * The two-sided p-value of the Mann-Whitney test, corrected for ties and continuity. `sum` is the number of pairs in which the later value
 * is larger, minus the number of pairs in which the later value is smaller.
 */
function computePValue(sum: number, earlier: readonly number[], later: readonly number[]): number {
  const all = [...earlier, ...later];
  const ties = all.reduce((total, one) => total + all.filter((other) => other === one).length ** 2 - 1, 0);
  const pairs = earlier.length * later.length;
  const variance = (pairs / 12) * (all.length + 1 - ties / (all.length * (all.length - 1)));
  if (variance <= 0) return 1;
  const z = Math.max(0, Math.abs(sum) / 2 - 0.5) / Math.sqrt(variance);
  // Computes the area below the normal curve from 0 to z, by the midpoint rule.
  const slices = 2000;
  let area = 0;
  for (let at = 0; at < slices; at += 1) area += Math.exp(-((((at + 0.5) * z) / slices) ** 2) / 2);
  return 1 - 2 * area * (z / slices) * (1 / Math.sqrt(2 * Math.PI));
}
const durations = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 60 });

describe('two distributions', () => {
  test('are compared with the same result as when all pairs of values are counted', () => {
    fc.assert(
      fc.property(durations, durations, (before, after) => {
        const [earlier, later] = [before.map(findBucket), after.map(findBucket)];
        let sum = 0;
        for (const a of earlier) for (const b of later) sum += Math.sign(b - a);
        const { effectSize, pValue } = compareDistributions(buildHistogram(before), buildHistogram(after));
        expect(effectSize).toBeCloseTo(sum / (before.length * after.length), 10);
        expect(pValue).toBeCloseTo(computePValue(sum, earlier, later), 5);
        const back = compareDistributions(buildHistogram(after), buildHistogram(before));
        expect(back.effectSize).toBeCloseTo(-effectSize, 10);
        expect(back.pValue).toBeCloseTo(pValue, 10);
      }),
    );
  });

  test('have the p-value of published tables', () => {
    // For n = m = 20 and U = 127, z is 1.9614 with the continuity correction.
    const before = new Map(Array.from({ length: 20 }, (_each, at): [number, number] => [2 * at, 1]));
    const after = new Map(Array.from({ length: 20 }, (_each, at): [number, number] => [2 * at + 9, 1]));
    const { effectSize, pValue } = compareDistributions(before, after);
    const u = ((effectSize + 1) / 2) * 400;
    const z = (Math.abs(u - 200) - 0.5) / Math.sqrt((400 * 41) / 12);
    // Computes the two-sided p-value of z from the series of the error function.
    let term = z / Math.SQRT2;
    let erf = 0;
    for (let at = 0; at < 60; at += 1) {
      erf += term / (2 * at + 1);
      term *= -(z * z) / 2 / (at + 1);
    }
    expect(pValue).toBeCloseTo(1 - (2 / Math.sqrt(Math.PI)) * erf, 5);
  });

  test('do not differ if all values are equal', () => {
    const same = new Map([[100, 50]]);
    expect(compareDistributions(same, same)).toEqual({ effectSize: 0, pValue: 1 });
  });
});

test('a percentile is within one percent of the nearest-rank value', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95, 0.99), (all, share) => {
      const sorted = [...all].sort((a, b) => a - b);
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      expect(Math.abs(findDurationAt(buildHistogram(all), share) - exact)).toBeLessThanOrEqual(
        exact * 0.0101,
      );
    }),
  );
});
