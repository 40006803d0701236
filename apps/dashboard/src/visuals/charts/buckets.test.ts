import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bucket, evenBuckets, growingBuckets, isWithin, rangeOf, type Sample } from './buckets.ts';

const samples: fc.Arbitrary<Sample[]> = fc.array(
  fc.record({ value: fc.double({ min: 0, max: 1e7, noNaN: true }), failed: fc.boolean() }),
  { maxLength: 60 },
);
const makers: readonly (readonly [string, (given: readonly Sample[], count: number) => Bucket[]])[] = [
  ['even', evenBuckets],
  ['growing', (given, count) => growingBuckets(given, count, 0.001)],
];

describe.each(makers)('%s bars', (_, make) => {
  it('count every sample once, in bars that follow each other', () => {
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 60 }), (given, count) => {
        const buckets = make(given, count);
        expect(buckets).toHaveLength(given.length === 0 ? 0 : count);
        expect(buckets.reduce((sum, { total }) => sum + total, 0)).toBe(given.length);
        expect(buckets.reduce((sum, { errors }) => sum + errors, 0)).toBe(
          given.filter(({ failed }) => failed).length,
        );
        for (const [index, { from, to, total, errors }] of buckets.entries()) {
          expect(errors).toBeLessThanOrEqual(total);
          expect(to).toBeGreaterThan(from);
          if (index > 0) expect(from).toBe(buckets[index - 1]?.to);
        }
      }),
    );
  });

  it('reach from the least to the greatest value', () => {
    fc.assert(
      fc.property(samples, (given) => {
        const buckets = make(given, 20);
        const range = rangeOf(buckets, buckets.length - 1, 0);
        for (const { value } of given) {
          expect(value).toBeGreaterThanOrEqual((range?.from ?? 0) - 1e-6);
          expect(value).toBeLessThanOrEqual((range?.to ?? 0) * (1 + 1e-9) + 1e-6);
        }
      }),
    );
  });
});

describe('a range of bars', () => {
  const buckets = evenBuckets(
    [0, 10, 20, 30].map((value) => ({ value, failed: false })),
    3,
  );

  it('is from the first to the last, whichever was chosen first', () => {
    expect(rangeOf(buckets, 2, 1)).toEqual({ from: 10, to: 30 });
    expect(rangeOf(buckets, 0, 7)).toBeUndefined();
  });

  it('holds the bars in it; without one, all', () => {
    expect(buckets.map((bucket) => isWithin(bucket, { from: 10, to: 20 }))).toEqual([false, true, false]);
    expect(buckets.every((bucket) => isWithin(bucket, undefined))).toBe(true);
  });
});
