import { describe, expect, it } from 'vitest';
import { computeBackoff, retryAfterMs } from './backoff.ts';

describe('waiting after failures', () => {
  it('doubles with each failure, up to half a minute', () => {
    const most = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map((failures) => computeBackoff(failures, () => 1));
    expect(most).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    expect(computeBackoff(3, () => 0)).toBe(1000);
  });

  it.each([
    ['5', 5000],
    [' 120 ', 120_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 10:00:07 GMT', 7000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['999999999', 3_600_000],
    ['soon', undefined],
    ['', undefined],
    ['-5', undefined],
    [undefined, undefined],
  ])('follows the header Retry-After: %s', (header, expected) => {
    const now = Date.parse('2026-11-21T10:00:00Z');
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
