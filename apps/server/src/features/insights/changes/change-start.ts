import { type CountedHour, findChangePoint } from '../change-point.ts';
import { countRequests } from '../distributions.ts';
import {
  findStartInterval,
  keepApart,
  type StartInterval,
  type WeighedHour,
  weighCount,
  weighShare,
} from '../start-interval.ts';
import type { Hour, HourRange, HourSeries } from './hour-series.ts';

/** When a change began. */
export interface ChangeStart {
  /** The hour since the epoch in which the change began. */
  readonly start: number;
  /** The interval in which the change began; undefined if it is unknown. */
  readonly interval: StartInterval | undefined;
}

export interface Measure {
  /** Returns the number of an hour's requests that have the change. */
  readonly count: (hour: Hour) => number;
  /** The share of requests that have the change: before the change began, and since then. */
  readonly before: number;
  readonly after: number;
  /** True if the metric grows slowly, so that no single time separates the requests with the change from the others. */
  readonly isGradual?: boolean;
  /** True if only the mean of each hour is known. */
  readonly isMean?: boolean;
}

/** Finds the hour in which a change began; the last hour of the range if the range has no requests. */
export function findStart(series: HourSeries, range: HourRange, measure: Measure): ChangeStart {
  const hours: (CountedHour & { readonly at: number })[] = [];
  for (let at = range.from; at < range.until; at += 1) {
    const hour = series.hours.get(at);
    if (hour === undefined) continue;
    hours.push({ at, requests: countRequests(hour.histogram), changed: measure.count(hour) });
  }
  const first = findChangePoint(hours, findReference(measure));
  const start = hours[first]?.at ?? range.until - 1;
  if (measure.isGradual === true) return { start, interval: undefined };
  // The compared hours can include hours before the change, so the share since the change is counted again.
  const since = hours.slice(first);
  const requests = sum(since.map((hour) => hour.requests));
  const counted = requests === 0 ? 0 : sum(since.map(({ changed }) => changed)) / requests;
  const shares = { before: measure.before, after: Math.max(measure.after, counted) };
  if (keepApart(shares.after) <= keepApart(shares.before)) return { start, interval: undefined };
  const weighed = hours.map((hour) => weighShare(measure.isMean === true ? countOnce(hour) : hour, shares));
  return { start, interval: findStartInterval(weighed, range) };
}

/** Counts an hour as a single observation, because only its mean is known. */
function countOnce({ at, requests, changed }: CountedHour & { readonly at: number }) {
  return { at, requests: Math.min(1, requests), changed: Math.min(1, changed) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * Finds the share above which an hour more likely belongs to the time after the change (the likelihood ratio of two binomial
 * distributions).
 */
function findReference(measure: Measure): number {
  const [before, after] = [keepApart(measure.before), keepApart(measure.after)];
  if (after <= before) return (measure.before + measure.after) / 2;
  const none = Math.log((1 - before) / (1 - after));
  return none / (none + Math.log(after / before));
}

/**
 * Finds the hour since which request counts differ from the counts at the same hour of earlier days. `ratio` is the current count divided
 * by the usual count.
 */
export function findTrafficStart(
  series: HourSeries,
  range: HourRange,
  since: number,
  ratio: number,
): ChangeStart {
  const count = (at: number) => {
    const hour = series.hours.get(at);
    return hour === undefined ? 0 : countRequests(hour.histogram);
  };
  const sign = ratio > 1 ? 1 : -1;
  const hours: CountedHour[] = [];
  const weighed: WeighedHour[] = [];
  for (let at = range.from; at < range.until; at += 1) {
    const usual = findUsual(at, since, count);
    hours.push({ requests: usual, changed: sign * count(at) });
    weighed.push(weighCount({ at, usual, count: count(at) }, ratio));
  }
  // If the current count is far above the usual count, traffic counts as changed from twice the usual count on. The mean of the usual and
  // the current count would miss the first, quieter hours.
  const reference = Math.min(2, (1 + ratio) / 2);
  return {
    start: range.from + findChangePoint(hours, sign * reference),
    interval: findStartInterval(weighed, range),
  };
}

/** Returns the median of the request counts at the same hour of earlier days. */
function findUsual(at: number, since: number, count: (hour: number) => number): number {
  const counts: number[] = [];
  for (let earlier = at - 24; earlier >= since; earlier -= 24) counts.push(count(earlier));
  counts.sort((a, b) => a - b);
  return counts[Math.floor(counts.length / 2)] ?? 0;
}
