import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRowsInView } from './use-row-window.ts';

describe('the rendered rows', () => {
  it.each([
    ['none for an empty list', 0, 900, 0, { first: 0, last: -1 }],
    ['none for a list that begins below the window', 2000, 900, 1000, { first: 0, last: -1 }],
    ['all rows of a short list', 300, 900, 3, { first: 0, last: 2 }],
    ['the first rows at the top', 300, 900, 1000, { first: 0, last: 32 }],
    ['the rows at the scroll position', -36_000, 900, 100_000, { first: 988, last: 1040 }],
    ['the last rows at the end', -3_599_100, 900, 100_000, { first: 99_960, last: 99_999 }],
  ])('are %s', (_name, top, windowPx, count, range) => {
    expect(findRowsInView(top, windowPx, 36, count)).toEqual(range);
  });

  it('include every visible row and few others', () => {
    const anyView = fc.tuple(
      fc.integer({ min: -4_000_000, max: 2000 }),
      fc.integer({ min: 1, max: 3000 }),
      fc.nat(100_000),
    );
    fc.assert(
      fc.property(anyView, ([top, windowPx, count]) => {
        const { first, last } = findRowsInView(top, windowPx, 36, count);
        const seenFirst = Math.max(0, Math.floor(-top / 36));
        const seenLast = Math.min(count - 1, Math.floor((windowPx - top - 1) / 36));
        if (seenFirst <= seenLast) {
          expect(first).toBeLessThanOrEqual(seenFirst);
          expect(last).toBeGreaterThanOrEqual(seenLast);
        }
        expect(last - first).toBeLessThan(windowPx / 36 + 48);
      }),
    );
  });
});
