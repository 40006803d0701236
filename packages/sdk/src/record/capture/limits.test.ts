import { describe, expect, it } from 'vitest';
import { defaultLimits, resolveLimits } from './limits.ts';

describe('limits', () => {
  it('are the defaults, without a message, if nothing is set', () => {
    const lines: string[] = [];
    expect(resolveLimits({}, (line) => lines.push(line))).toEqual(defaultLimits);
    expect(lines).toEqual([]);
  });

  it.each<[unknown, number]>([
    [5, 5],
    [0, 0],
    [-1, 0],
    [1e9, 20],
    [Infinity, 20],
    [2.7, 2],
    [Number.NaN, 3],
    ['5', 3],
    [null, 3],
    [{ valueOf: () => 9 }, 3],
  ])('with the option %s as the depth have the depth %i', (depth, taken) => {
    const lines: string[] = [];
    expect(resolveLimits({ depth }, (line) => lines.push(line))).toEqual({ ...defaultLimits, depth: taken });
    expect(lines).toEqual(
      depth === taken ? [] : [`limits.depth must be a whole number from 0 to 20; using ${taken}`],
    );
  });
});
