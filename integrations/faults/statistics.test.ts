import { pickRows } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { type Block, p99Ratio, percentile } from './statistics.ts';

/** Returns the same pseudorandom numbers below 1 on each run. */
function steady(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Builds blocks of a hundred durations each, from 1 to 2 ms. The durations under the first condition are multiplied by `factor`. */
function blocks(count: number, factor: number): Block[] {
  const random = steady();
  const times = () => Array.from({ length: 100 }, () => 1 + random());
  return Array.from({ length: count }, () => ({
    first: times().map((time) => time * factor),
    second: times(),
  }));
}

test.each([
  [[3, 1, 2], 0.5, 2],
  [[3, 1, 2], 0.99, 3],
  [[1], 0.01, 1],
  [[], 0.5, Number.NaN],
])('of the values %j, the percentile %d is %d', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

test.each(pickRows([1, 0.5, 1.1, 3], { usually: 1 }))(
  'the confidence interval of a ratio includes the true ratio %d',
  (factor) => {
    const { value, low, high } = p99Ratio([blocks(8, factor), blocks(8, factor)], steady());
    expect(low).toBeLessThanOrEqual(value);
    expect(high).toBeGreaterThanOrEqual(value);
    expect(value / factor).toBeCloseTo(1, 1);
    expect(high - low).toBeLessThan(0.1 * factor);
  },
);

test('the confidence interval is wide if the blocks differ from each other', () => {
  const calm = blocks(1, 1);
  const disturbed = blocks(1, 4);
  const { low, high } = p99Ratio([[...calm, ...disturbed]], steady());
  expect(high - low).toBeGreaterThan(1);
});
