/**
 * Defines a rule for each metric that can change. A metric counts as changed only if it exceeds its highest value in the earlier periods
 * with the same hours of the day, not only the mean of these periods. A drop in traffic must fall below the lowest number of requests in
 * these periods.
 */
import {
  compareDistributions,
  compareStrata,
  findBucketPlace,
  findDurationAt,
  type Histogram,
} from '../distributions.ts';
import { findHigherRateIn, findPoissonHead, findPoissonTail } from './chance.ts';
import type { Signal, Total } from './hour-series.ts';

/**
 * The requests that a rule compares: the requests in the window (`now`), in all earlier hours at the same time of day (`before`), and in
 * each earlier period separately (`blocks`).
 */
export interface Compared {
  readonly now: Total;
  readonly before: Total;
  readonly blocks: readonly Total[];
  /** `now` and `before` by part of the day, so that the tests compare requests of the same hours. A single pair if both have the same hours. */
  readonly strata: readonly Stratum[];
  /** The number of comparisons, which the correction for chance uses. */
  readonly tests: number;
}

export interface Stratum {
  readonly now: Total;
  readonly before: Total;
}

export interface Judged {
  readonly signal: Signal;
  /** The value before the change, in milliseconds, percent, bytes, number of requests, or calls per request. */
  readonly before: number;
  readonly after: number;
  /** The corrected probability that the difference is due to chance. */
  readonly pValue: number;
}

/** The minimum number of requests in the window, and the maximum p-value for the change of a median. */
const ENOUGH = { requests: 20, pValue: 0.001 } as const;
/**
 * Minimum changes of a median: Cliff's delta (`effectSize`), the factor (`ratio`), the difference (`added`: ms, thousands of bytes,
 * percentage points or calls), and the factor by which the median must exceed the highest earlier period (`beyond`).
 */
const RISES = {
  p50: { effectSize: 0.33, ratio: 1.3, added: 5, beyond: 1.15 },
  // Only the hourly mean of the calls' durations is known, so chance has more influence than the test assumes. These limits are therefore
  // higher than those of `p50`.
  dependency: { effectSize: 0.8, ratio: 1.5, added: 5, beyond: 1.25 },
  memory: { effectSize: 0.7, ratio: 1.5, added: 64_000, beyond: 1.3 },
  eventLoopDelay: { effectSize: 0.7, ratio: 3, added: 20, beyond: 2 },
  responseSize: { effectSize: 0.7, ratio: 2, added: 1, beyond: 1.5 },
  cpu: { effectSize: 0.7, ratio: 1.5, added: 10, beyond: 1.3 },
  // A histogram's buckets make the number of calls inexact by 1 %, so `added` is slightly below 2.
  calls: { effectSize: 0.5, ratio: 2, added: 1.9, beyond: 1.5 },
} as const;
export type RisingSignal = Exclude<keyof typeof RISES, 'dependency'>;
/**
 * Limits for the share of slow requests. A request is slow if its duration exceeds the earlier percentile by the factor `ratio` and by
 * `addedMs`. `over` is the minimum number of slow requests.
 */
const TAILS = {
  p95: { quantile: 0.95, over: 10, share: 0.06, ratio: 1.5, addedMs: 20, times: 3, beyond: 2, pValue: 1e-6 },
  p99: { quantile: 0.99, over: 5, share: 0.01, ratio: 2, addedMs: 50, times: 3, beyond: 2, pValue: 1e-3 },
} as const;
export type TailSignal = keyof typeof TAILS;
/**
 * Minimum changes of a share of the requests: the number of failed requests or cache misses (`errors`), the factor (`times`), the
 * difference (`added`), and the factor by which the share must exceed the highest earlier period (`beyond`).
 */
const SHARES = {
  errorRate: { errors: 5, times: 2, added: 0.02, beyond: 1.5, pValue: 1e-4 },
  // The limits for a single error differ from the limits for `errorRate`, because each error is rare and few errors are compared. `rare`: a
  // smaller difference counts, too, if it is less likely by chance.
  error: {
    errors: 5,
    times: 2.5,
    added: 0.01,
    beyond: 1.3,
    pValue: 0.01,
    rare: { added: 0.002, pValue: 1e-3 },
  },
  cacheMisses: { errors: 20, times: 1.5, added: 0.2, beyond: 1.3, pValue: 1e-6 },
} as const;
export type Shared = Exclude<keyof typeof SHARES, 'error'>;
const TRAFFIC = {
  blocks: 3,
  least: 12,
  down: 0.5,
  downOfFew: 0.2,
  pValue: 1e-4,
  up: 2,
  upOfFew: 5,
  many: 100,
  week: 7,
  /** A drop can have begun this many days before the window, so these days do not count as usual. */
  recent: 2,
} as const;
/** Minimum number of requests of an earlier period. Periods with fewer requests are not used for comparison, except of traffic. */
const BLOCK_REQUESTS = 15;
/** Minimum number of requests in all earlier hours together. With fewer requests, only traffic is compared. */
export const BASE_REQUESTS = 60;

export function judgeMedian(
  signal: RisingSignal,
  compared: Compared,
  rule: keyof typeof RISES = signal,
): Judged | undefined {
  const { now, before, strata, tests } = compared;
  if (!isEnough(now, before)) return undefined;
  const least = RISES[rule];
  const [then, after] = [findDurationAt(before.histogram, 0.5), findDurationAt(now.histogram, 0.5)];
  if (after < then * least.ratio || after - then < least.added) return undefined;
  if (!exceedsEachBlock(compared, rule)) return undefined;
  const { effectSize, pValue } = compareDurations(strata);
  const corrected = correct(pValue, tests);
  if (effectSize < least.effectSize || corrected > ENOUGH.pValue) return undefined;
  if (signal === 'calls') {
    return { signal, before: Math.round(then), after: Math.round(after), pValue: corrected };
  }
  const unit = signal === 'memory' || signal === 'responseSize' ? 1000 : 1;
  return { signal, before: then * unit, after: after * unit, pValue: corrected };
}

/** True if the median is also well above the median of each earlier period, so that a slow weekday is not compared only with the weekend. */
export function exceedsEachBlock({ now, blocks }: Compared, rule: keyof typeof RISES): boolean {
  const highest = findHighest(blocks, ({ histogram }) => findDurationAt(histogram, 0.5));
  return findDurationAt(now.histogram, 0.5) >= highest * RISES[rule].beyond;
}

function compareDurations(strata: readonly Stratum[]) {
  const pairs = strata.map(({ now, before }) => ({ before: before.histogram, after: now.histogram }));
  const [only, ...others] = pairs;
  return only !== undefined && others.length === 0
    ? compareDistributions(only.before, only.after)
    : compareStrata(pairs);
}

/** Returns the duration in ms above which a request is slow, by the limits of the percentile `signal`. */
export function findTailMs(signal: TailSignal, before: Histogram): number {
  const { quantile, ratio, addedMs } = TAILS[signal];
  const usual = findDurationAt(before, quantile);
  return Math.max(usual * ratio, usual + addedMs);
}

/** Compares the share of requests that are slow by the limits of the percentile `signal`. */
export function judgeTail(signal: TailSignal, compared: Compared): Judged | undefined {
  const { now, before, strata, tests } = compared;
  if (!isEnough(now, before)) return undefined;
  const least = TAILS[signal];
  const tailMs = findTailMs(signal, before.histogram);
  const over = countOver(now.histogram, tailMs);
  const share = over / now.requests;
  const usual = countOver(before.histogram, tailMs) / before.requests;
  if (over < least.over || share < least.share || share < usual * least.times) return undefined;
  const highest = findHighest(
    compared.blocks,
    ({ histogram, requests }) => countOver(histogram, tailMs) / requests,
  );
  if (share < highest * least.beyond) return undefined;
  const pValue = correct(
    findRise(strata, ({ histogram }) => countOver(histogram, tailMs)),
    tests,
  );
  if (pValue > least.pValue) return undefined;
  const { quantile } = least;
  const [then, after] = [findDurationAt(before.histogram, quantile), findDurationAt(now.histogram, quantile)];
  return { signal, before: then, after, pValue };
}

/** Compares the share of requests that fail or that miss the cache. */
export function judgeShare(
  signal: Shared,
  compared: Compared,
  rule: keyof typeof SHARES = signal,
): Judged | undefined {
  const { now, before, strata, tests } = compared;
  if (!isEnough(now, before)) return undefined;
  const least = SHARES[rule];
  const [rate, usual] = [now.errors / now.requests, before.errors / before.requests];
  const limits = [least, ...('rare' in least ? [least.rare] : [])].find(
    ({ added }) => rate >= usual * least.times + added,
  );
  if (limits === undefined || now.errors < least.errors) return undefined;
  const highest = findHighest(compared.blocks, ({ errors, requests }) => errors / requests);
  if (rate < highest * least.beyond) return undefined;
  const pValue = correct(
    findRise(strata, ({ errors }) => errors),
    tests,
  );
  if (pValue > limits.pValue) return undefined;
  return { signal, before: usual * 100, after: rate * 100, pValue };
}

/** Returns the probability that the share of the requests that `count` counts rose by chance. */
function findRise(strata: readonly Stratum[], count: (total: Total) => number): number {
  const describe = (total: Total) => ({ count: count(total), requests: total.requests });
  return findHigherRateIn(
    strata.map(({ now, before }) => ({ now: describe(now), before: describe(before) })),
  );
}

/** Compares the number of requests with the number on each earlier day, because the days differ from each other by far more than chance. */
export function judgeTraffic({ now, blocks }: Compared): Judged | undefined {
  const counts = blocks.map(({ requests }) => requests);
  return judgeDrop(now.requests, counts.slice(TRAFFIC.recent)) ?? judgeSpike(now.requests, counts);
}

function judgeDrop(after: number, earlier: readonly number[]): Judged | undefined {
  if (earlier.length < TRAFFIC.blocks) return undefined;
  const least = Math.min(...earlier);
  // Without a whole week of history, it is unknown how the traffic of a weekend differs from other days, so a drop must be larger to count.
  const share = earlier.length >= TRAFFIC.week ? TRAFFIC.down : TRAFFIC.downOfFew;
  if (least < TRAFFIC.least || after > least * share) return undefined;
  const pValue = findPoissonHead(after, least);
  return pValue > TRAFFIC.pValue
    ? undefined
    : { signal: 'requests', before: findMiddle(earlier), after, pValue };
}

function judgeSpike(after: number, earlier: readonly number[]): Judged | undefined {
  if (earlier.length < TRAFFIC.blocks) return undefined;
  const most = Math.max(...earlier);
  const times = earlier.length >= TRAFFIC.week ? TRAFFIC.up : TRAFFIC.upOfFew;
  if (most === 0 || after < TRAFFIC.many || after < most * times) return undefined;
  return { signal: 'requests', before: findMiddle(earlier), after, pValue: findPoissonTail(after, most) };
}

/** Corrects a probability for the number of comparisons (Bonferroni). */
function correct(pValue: number, tests: number): number {
  return Math.min(1, pValue * tests);
}

export function findMiddle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function isEnough(now: Total, before: Total): boolean {
  return now.requests >= ENOUGH.requests && before.requests >= BASE_REQUESTS;
}

/** Finds the highest value among the earlier periods that have enough requests. */
function findHighest(blocks: readonly Total[], measure: (block: Total) => number): number {
  const enough = blocks.filter(({ requests }) => requests >= BLOCK_REQUESTS);
  return Math.max(0, ...enough.map(measure));
}

/** Returns the number of requests that took longer than `ms`, to within a bucket's width. */
export function countOver(histogram: Histogram, ms: number): number {
  const limit = findBucketPlace(ms * 1000);
  let over = 0;
  for (const [bucket, count] of histogram) if (bucket >= limit) over += count;
  return over;
}
