/** Durations from one period under two conditions, with the same machine, minute and load. */
export interface Block {
  readonly first: number[];
  readonly second: number[];
}

/** A ratio with its 95 % confidence interval. */
export interface Ratio {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 1000;

/** Returns the smallest value that at least `share` of all values do not exceed. Returns NaN if there are no values. */
export function percentile(values: readonly number[] | Float64Array, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/**
 * Returns the p99 of all durations under the first condition divided by the p99 under the second. The confidence interval comes from 1,000
 * bootstrap samples, drawn with replacement within each group. Whole blocks are drawn, not single durations, because a disturbance of the
 * machine affects neighbouring requests together.
 */
export function p99Ratio(groups: readonly (readonly Block[])[], random: () => number): Ratio {
  const drawn = Array.from({ length: RESAMPLES }, () =>
    computeRatio(groups.flatMap((blocks) => blocks.map(() => pick(blocks, random)))),
  );
  return {
    value: computeRatio(groups.flat()),
    low: percentile(drawn, 0.025),
    high: percentile(drawn, 0.975),
  };
}

function computeRatio(blocks: readonly Block[]): number {
  const first = percentile(
    blocks.flatMap((block) => block.first),
    0.99,
  );
  return (
    first /
    percentile(
      blocks.flatMap((block) => block.second),
      0.99,
    )
  );
}

function pick(blocks: readonly Block[], random: () => number): Block {
  const block = blocks[Math.floor(random() * blocks.length)];
  if (block === undefined) throw new Error('a group has no block');
  return block;
}
