/** Number of durations per bucket, by bucket number. Each bucket is 2 % wider than the previous bucket. */
export type Histogram = ReadonlyMap<number, number>;

/** The bucket of a duration is floor(ln(microseconds + 1) / ln(BUCKET_RATIO)). */
export const BUCKET_RATIO = 1.02;

/** Returns a duration's position among the buckets: the integer part is the bucket, the fraction the position within it. */
export function findBucketPlace(micros: number): number {
  return Math.log(micros + 1) / Math.log(BUCKET_RATIO);
}

export function countRequests(histogram: Histogram): number {
  return [...histogram.values()].reduce((sum, count) => sum + count, 0);
}

/** Merges histograms into one. */
export function mergeHistograms(histograms: readonly Histogram[]): Histogram {
  const all = new Map<number, number>();
  for (const histogram of histograms) {
    for (const [bucket, count] of histogram) all.set(bucket, (all.get(bucket) ?? 0) + count);
  }
  return all;
}

/** Returns the histogram of the values in `whole` that are not in `part`. `part` must be contained in `whole`. */
export function subtract(whole: Histogram, part: Histogram): Histogram {
  const rest = [...whole].map(([bucket, count]): [number, number] => [
    bucket,
    count - (part.get(bucket) ?? 0),
  ]);
  return new Map(rest.filter(([, count]) => count > 0));
}

/** Returns the nearest-rank percentile at `share`, in ms, with an error of at most 1 %; 0 for an empty histogram. */
export function findDurationAt(histogram: Histogram, share: number): number {
  const rank = Math.max(1, Math.ceil(share * countRequests(histogram)));
  let seen = 0;
  for (const [bucket, count] of [...histogram].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= rank) return (BUCKET_RATIO ** (bucket + 0.5) - 1) / 1000;
  }
  return 0;
}

interface Comparison {
  /** Cliff's delta, from -1 to 1. A delta above 0 means that later durations are longer. */
  readonly effectSize: number;
  /** The two-sided p-value. */
  readonly pValue: number;
}

/**
 * Compares two distributions with the Mann-Whitney test (normal approximation, corrected for ties), and measures the effect as Cliff's
 * delta. Durations in the same bucket count as equal. The histograms must not be empty.
 */
export function compareDistributions(before: Histogram, after: Histogram): Comparison {
  const { u, pairs, variance } = rank(before, after);
  return judgeRanks(u, pairs, variance, 0.5);
}

/** Two distributions for the same hours of the day. */
export interface DistributionPair {
  readonly before: Histogram;
  readonly after: Histogram;
}

/**
 * Runs the test of {@link compareDistributions} within each stratum and adds up the statistics (van Elteren: each stratum has the weight 1
 * / (number of its requests + 1)). Strata can have different usual durations: a different mix of strata before and after does not influence
 * the result.
 */
export function compareStrata(strata: readonly DistributionPair[]): Comparison {
  let [u, pairs, variance] = [0, 0, 0];
  for (const { before, after } of strata) {
    const weight = 1 / (countRequests(before) + countRequests(after) + 1);
    const ranks = rank(before, after);
    u += weight * ranks.u;
    pairs += weight * ranks.pairs;
    variance += weight ** 2 * ranks.variance;
  }
  return judgeRanks(u, pairs, variance, 0);
}

/**
 * Weights each stratum of `before` by the stratum's number of requests in `after`, so that the medians of `before` and `after` are over the
 * same hours.
 */
export function weighByHours(strata: readonly DistributionPair[]): Histogram {
  const weighed = strata.map(({ before, after }) => {
    const weight = countRequests(after) / countRequests(before);
    return new Map([...before].map(([bucket, count]) => [bucket, count * weight]));
  });
  return mergeHistograms(weighed);
}

/** Returns the rank-sum statistic, and the variance of the statistic under the assumption that both distributions are equal. */
function rank(before: Histogram, after: Histogram) {
  const [n, m] = [countRequests(before), countRequests(after)];
  let earlierBelow = 0;
  let u = 0;
  let ties = 0;
  for (const bucket of [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b)) {
    const [earlier, later] = [before.get(bucket) ?? 0, after.get(bucket) ?? 0];
    u += later * (earlierBelow + earlier / 2);
    earlierBelow += earlier;
    ties += (earlier + later) ** 3 - (earlier + later);
  }
  const all = n + m;
  const variance = ((n * m) / 12) * (all + 1 - ties / (all * (all - 1)));
  return { u, pairs: n * m, variance };
}

function judgeRanks(u: number, pairs: number, variance: number, continuity: number): Comparison {
  const effectSize = (2 * u) / pairs - 1;
  if (variance <= 0) return { effectSize, pValue: 1 };
  const z = Math.max(0, Math.abs(u - pairs / 2) - continuity) / Math.sqrt(variance);
  return { effectSize, pValue: computeTwoSided(z) };
}

/**
 * Returns the probability that a standard normal value is at least as far from 0 as `z`. Uses the approximation 7.1.26 of Abramowitz and
 * Stegun, which is accurate to 1.5e-7.
 */
function computeTwoSided(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const sum =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.min(1, sum * Math.exp(-x * x));
}
