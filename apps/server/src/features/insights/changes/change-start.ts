import { type CountedHour, findChangePoint } from '../change-point.ts';
import { countRequests } from '../distributions.ts';
import type { Hour, HourRange, HourSeries } from './hour-series.ts';

export interface Measure {
  /** Returns the number of an hour's requests that have the change. */
  readonly count: (hour: Hour) => number;
  /** The share of requests that have the change: before the change began, and since then. */
  readonly before: number;
  readonly after: number;
}

/** Finds the hour in which a change began; the last hour of the range if the range has no requests. */
export function findStart(series: HourSeries, range: HourRange, measure: Measure): number {
  const hours: (CountedHour & { readonly at: number })[] = [];
  for (let at = range.from; at < range.until; at += 1) {
    const hour = series.hours.get(at);
    if (hour === undefined) continue;
    hours.push({ at, requests: countRequests(hour.histogram), changed: measure.count(hour) });
  }
  return hours[findChangePoint(hours, findReference(measure))]?.at ?? range.until - 1;
}

/** Minimum distance of a share from 0 and 1. With a share of exactly 0 or 1, a single request could decide the result. */
const SURE = 0.001;

/**
 * Finds the share above which an hour more likely belongs to the time after the change (the likelihood ratio of two binomial
 * distributions).
 */
function findReference(measure: Measure): number {
  const [before, after] = [measure.before, measure.after].map((share) =>
    Math.min(1 - SURE, Math.max(SURE, share)),
  );
  if (before === undefined || after === undefined || after <= before)
    return (measure.before + measure.after) / 2;
  const none = Math.log((1 - before) / (1 - after));
  return none / (none + Math.log(after / before));
}

/**
 * Finds the hour since which request counts differ from the counts at the same hour of earlier days. `ratio` is the current count divided
 * by the usual count.
 */
export function findTrafficStart(series: HourSeries, range: HourRange, since: number, ratio: number): number {
  const count = (at: number) => {
    const hour = series.hours.get(at);
    return hour === undefined ? 0 : countRequests(hour.histogram);
  };
  const sign = ratio > 1 ? 1 : -1;
  const hours: CountedHour[] = [];
  for (let at = range.from; at < range.until; at += 1) {
    hours.push({ requests: findUsual(at, since, count), changed: sign * count(at) });
  }
  // If the current count is far above the usual count, traffic counts as changed from twice the usual count on. The mean of the usual and
  // the current count would miss the first, quieter hours.
  const reference = Math.min(2, (1 + ratio) / 2);
  return range.from + findChangePoint(hours, sign * reference);
}

/** The median count of the same hour on earlier days. */
function findUsual(at: number, since: number, count: (hour: number) => number): number {
  const counts: number[] = [];
  for (let earlier = at - 24; earlier >= since; earlier -= 24) counts.push(count(earlier));
  counts.sort((a, b) => a - b);
  return counts[Math.floor(counts.length / 2)] ?? 0;
}
