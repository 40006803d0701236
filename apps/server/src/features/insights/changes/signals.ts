/** One rule for each figure that can change. A figure must be beyond each earlier stretch at the same hours, not beyond their mean alone. */
import { compareDistributions, durationAt, findBucketPlace, type Histogram } from '../distributions.ts';
import type { Signal, Total } from './hour-series.ts';

/** The requests that a rule compares: the window, all earlier hours like it, and each earlier stretch of it. */
export interface Compared {
  readonly now: Total;
  readonly before: Total;
  readonly blocks: readonly Total[];
  /** The number of comparisons made, for which chance is corrected. */
  readonly tests: number;
}

export interface Judged {
  readonly signal: Signal;
  /** Milliseconds, percent, or requests. */
  readonly before: number;
  readonly after: number;
  /** How likely chance alone is, corrected. */
  readonly pValue: number;
}

/** Requests that a figure needs in the window, and its p-value at most. */
const ENOUGH = { requests: 20, pValue: 0.001 } as const;
/** Least changes of a median: the factor, the difference (ms, or thousands of bytes), and the factor to the highest earlier day. */
const RISES = {
  p50: { effectSize: 0.33, ratio: 1.3, added: 5, beyond: 1.15 },
  // Each hour's mean stands for all of its calls, so chance is larger than the test says.
  dependency: { effectSize: 0.8, ratio: 1.5, added: 5, beyond: 1.25 },
  memory: { effectSize: 0.7, ratio: 1.5, added: 64_000, beyond: 1.3 },
  eventLoopDelay: { effectSize: 0.7, ratio: 3, added: 20, beyond: 2 },
  responseSize: { effectSize: 0.7, ratio: 2, added: 1, beyond: 1.5 },
} as const;
export type Risen = Exclude<keyof typeof RISES, 'dependency'>;
const TAIL = { over: 5, share: 0.01, ratio: 2, addedMs: 50, times: 3, beyond: 2, pValue: 1e-4 } as const;
/** Least changes of a share of the requests: the factor, the difference, and the factor to the highest earlier day. */
const SHARES = {
  errorRate: { errors: 5, times: 2, added: 0.02, beyond: 1.5, pValue: 1e-4 },
  // One error is rare, and few errors are compared.
  error: { errors: 5, times: 2.5, added: 0.01, beyond: 1.3, pValue: 0.01 },
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
  /** Days before the window in which a drop may have begun: what they have is no habit. */
  recent: 2,
} as const;
/** An earlier stretch with fewer requests says nothing about its figures. */
const BLOCK_REQUESTS = 15;
/** An earlier time with fewer requests says little about a figure. */
export const BASE_REQUESTS = 60;

export function judgeMedian(
  signal: Risen,
  { now, before, blocks, tests }: Compared,
  rule: keyof typeof RISES = signal,
): Judged | undefined {
  if (!isEnough(now, before)) return undefined;
  const least = RISES[rule];
  const [then, after] = [durationAt(before.histogram, 0.5), durationAt(now.histogram, 0.5)];
  if (after < then * least.ratio || after - then < least.added) return undefined;
  const highest = findHighest(blocks, ({ histogram }) => durationAt(histogram, 0.5));
  if (after < highest * least.beyond) return undefined;
  const { effectSize, pValue } = compareDistributions(before.histogram, now.histogram);
  const corrected = Math.min(1, pValue * tests);
  if (effectSize < least.effectSize || corrected > ENOUGH.pValue) return undefined;
  const unit = signal === 'memory' || signal === 'responseSize' ? 1000 : 1;
  return { signal, before: then * unit, after: after * unit, pValue: corrected };
}

/** The duration, ms, beyond which a request counts as one of a longer tail. */
export function findTailMs(before: Histogram): number {
  const p99 = durationAt(before, 0.99);
  return Math.max(p99 * TAIL.ratio, p99 + TAIL.addedMs);
}

export function judgeTail({ now, before, blocks, tests }: Compared): Judged | undefined {
  if (!isEnough(now, before)) return undefined;
  const tailMs = findTailMs(before.histogram);
  const over = countOver(now.histogram, tailMs);
  const share = over / now.requests;
  const usual = countOver(before.histogram, tailMs) / before.requests;
  if (over < TAIL.over || share < TAIL.share || share < usual * TAIL.times) return undefined;
  const highest = findHighest(blocks, ({ histogram, requests }) => countOver(histogram, tailMs) / requests);
  if (share < highest * TAIL.beyond) return undefined;
  const expected = now.requests * Math.max(usual, 1 / (before.requests + 1));
  const pValue = Math.min(1, findPoissonTail(over, expected) * tests);
  if (pValue > TAIL.pValue) return undefined;
  const [then, after] = [durationAt(before.histogram, 0.99), durationAt(now.histogram, 0.99)];
  return { signal: 'p99', before: then, after, pValue };
}

/** Compares the share of requests that fail, or miss the cache. */
export function judgeShare(
  signal: Shared,
  { now, before, blocks, tests }: Compared,
  rule: keyof typeof SHARES = signal,
): Judged | undefined {
  if (!isEnough(now, before)) return undefined;
  const least = SHARES[rule];
  const [rate, usual] = [now.errors / now.requests, before.errors / before.requests];
  if (now.errors < least.errors || rate < usual * least.times + least.added) return undefined;
  const highest = findHighest(blocks, ({ errors, requests }) => errors / requests);
  if (rate < highest * least.beyond) return undefined;
  const expected = now.requests * Math.max(usual, (before.errors + 0.5) / (before.requests + 1));
  const pValue = Math.min(1, findPoissonTail(now.errors, expected) * tests);
  if (pValue > least.pValue) return undefined;
  return { signal, before: usual * 100, after: rate * 100, pValue };
}

/** Compares counts with each earlier day: days differ by far more than chance does. */
export function judgeTraffic({ now, blocks }: Compared): Judged | undefined {
  const counts = blocks.map(({ requests }) => requests);
  return judgeDrop(now.requests, counts.slice(TRAFFIC.recent)) ?? judgeSpike(now.requests, counts);
}

function judgeDrop(after: number, earlier: readonly number[]): Judged | undefined {
  if (earlier.length < TRAFFIC.blocks) return undefined;
  const least = Math.min(...earlier);
  // Without a whole week, nobody knows how a weekend is.
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

function findMiddle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function isEnough(now: Total, before: Total): boolean {
  return now.requests >= ENOUGH.requests && before.requests >= BASE_REQUESTS;
}

/** Finds the highest figure of the earlier stretches that have enough requests. */
function findHighest(blocks: readonly Total[], measure: (block: Total) => number): number {
  const enough = blocks.filter(({ requests }) => requests >= BLOCK_REQUESTS);
  return Math.max(0, ...enough.map(measure));
}

/** The number of requests that took longer than so many ms, within the width of a bucket. */
export function countOver(histogram: Histogram, ms: number): number {
  const limit = findBucketPlace(ms * 1000);
  let over = 0;
  for (const [bucket, count] of histogram) if (bucket >= limit) over += count;
  return over;
}

/** How likely a Poisson value is `count` or more. */
function findPoissonTail(count: number, expected: number): number {
  if (count <= expected) return 1;
  // The terms fall from here on, each at most count / expected times smaller than the one before.
  let [term, sum] = [1, 1];
  for (let next = count + 1; term > sum * 1e-9; next += 1) {
    term *= expected / next;
    sum += term;
  }
  return Math.min(1, findPoisson(count, expected) * sum);
}

/** How likely a Poisson value is `count` or less. */
function findPoissonHead(count: number, expected: number): number {
  let sum = 0;
  for (let value = 0; value <= count; value += 1) sum += findPoisson(value, expected);
  return Math.min(1, sum);
}

function findPoisson(value: number, expected: number): number {
  let logFactorial = 0;
  for (let factor = 2; factor <= value; factor += 1) logFactorial += Math.log(factor);
  return Math.exp(value * Math.log(expected) - expected - logFactorial);
}
