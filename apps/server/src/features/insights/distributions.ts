/** Durations counted in buckets, each 2 % wider than the one before: by the number of the bucket. */
export type Histogram = ReadonlyMap<number, number>;

/** The bucket of a duration is floor(ln(µs + 1) / ln(1.02)). */
export const BUCKET_RATIO = 1.02;

/** Finds where a duration (µs) lies among the buckets: its bucket, and how far within. */
export function findBucketPlace(micros: number): number {
  return Math.log(micros + 1) / Math.log(BUCKET_RATIO);
}

export function countRequests(histogram: Histogram): number {
  return [...histogram.values()].reduce((sum, count) => sum + count, 0);
}

/** The histogram of both. */
export function together(histograms: readonly Histogram[]): Histogram {
  const all = new Map<number, number>();
  for (const histogram of histograms) {
    for (const [bucket, count] of histogram) all.set(bucket, (all.get(bucket) ?? 0) + count);
  }
  return all;
}

/** The histogram of what is in the first and not in the second, which is a part of it. */
export function subtract(whole: Histogram, part: Histogram): Histogram {
  const rest = [...whole].map(([bucket, count]): [number, number] => [
    bucket,
    count - (part.get(bucket) ?? 0),
  ]);
  return new Map(rest.filter(([, count]) => count > 0));
}

/** The nearest-rank value at a share of the requests, ms, within 1 %. */
export function durationAt(histogram: Histogram, share: number): number {
  const rank = Math.max(1, Math.ceil(share * countRequests(histogram)));
  let seen = 0;
  for (const [bucket, count] of [...histogram].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= rank) return (BUCKET_RATIO ** (bucket + 0.5) - 1) / 1000;
  }
  return 0;
}

interface Comparison {
  /** Cliff's delta, -1 to 1: above 0 where the later ones are longer. */
  readonly effectSize: number;
  /** Two-sided. */
  readonly pValue: number;
}

/**
 * The Mann–Whitney test with its correction for ties, by the normal approximation, and Cliff's delta as the size of the effect. What is in one
 * bucket counts as equal. There must be some of both.
 */
export function compareDistributions(before: Histogram, after: Histogram): Comparison {
  const { u, pairs, variance } = rank(before, after);
  return judgeRanks(u, pairs, variance, 0.5);
}

/** Two distributions of the same hours of the day. */
export interface Stratum {
  readonly before: Histogram;
  readonly after: Histogram;
}

/**
 * The same test within each stratum, with the sums of all (van Elteren, weighted by the number of pairs for each request): where each
 * has its own level, their mix decides nothing.
 */
export function compareStrata(strata: readonly Stratum[]): Comparison {
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

/** Weighs the strata of `before` by the requests of `after`, so that their medians are of the same hours. */
export function weighByHours(strata: readonly Stratum[]): Histogram {
  const weighed = strata.map(({ before, after }) => {
    const weight = countRequests(after) / countRequests(before);
    return new Map([...before].map(([bucket, count]) => [bucket, count * weight]));
  });
  return together(weighed);
}

/** The statistic of the rank sums, and its variance where both are alike. */
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
  return { effectSize, pValue: twoSided(z) };
}

/** How likely a standard normal value is as far from 0; Abramowitz and Stegun 7.1.26, within 1.5e-7. */
function twoSided(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const sum =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.min(1, sum * Math.exp(-x * x));
}
