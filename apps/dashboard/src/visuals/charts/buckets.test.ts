import { describe, expect, it } from 'vitest';
import { findRange, isWithin } from './buckets.ts';

describe('a range of bars', () => {
  const buckets = [0, 10, 20].map((from) => ({ from, to: from + 10, total: 1, errors: 0 }));

  it('reaches from the first to the last selected bar, in whichever order the two bars are selected', () => {
    expect(findRange(buckets, 2, 1)).toEqual({ from: 10, to: 30 });
    expect(findRange(buckets, 0, 7)).toBeUndefined();
  });

  it('contains the bars between its ends; without a selected range, every bar counts as contained', () => {
    expect(buckets.map((bucket) => isWithin(bucket, { from: 10, to: 20 }))).toEqual([false, true, false]);
    expect(buckets.every((bucket) => isWithin(bucket, undefined))).toBe(true);
  });
});
