import { type CountedHour, findChangePoint } from '../change-point.ts';
import { countRequests } from '../distributions.ts';
import type { Hour, HourRange, HourSeries } from './hour-series.ts';

export interface Measure {
  /** The requests of an hour that have the change. */
  readonly count: (hour: Hour) => number;
  /** Their share before, and since. */
  readonly before: number;
  readonly after: number;
}

/** Finds the hour in which a change began; the last one of the range where it has no request. */
export function findStart(series: HourSeries, range: HourRange, measure: Measure): number {
  const hours: (CountedHour & { readonly at: number })[] = [];
  for (let at = range.from; at < range.until; at += 1) {
    const hour = series.hours.get(at);
    if (hour === undefined) continue;
    hours.push({ at, requests: countRequests(hour.histogram), changed: measure.count(hour) });
  }
  return hours[findChangePoint(hours, findReference(measure))]?.at ?? range.until - 1;
}

/** Shares of 0 and 1 would be certain. */
const SURE = 0.001;

/** Finds the share above which an hour is likelier to be one of those since the change (the likelihood ratio of two binomial values). */
function findReference(measure: Measure): number {
  const [before, after] = [measure.before, measure.after].map((share) =>
    Math.min(1 - SURE, Math.max(SURE, share)),
  );
  if (before === undefined || after === undefined || after <= before)
    return (measure.before + measure.after) / 2;
  const none = Math.log((1 - before) / (1 - after));
  return none / (none + Math.log(after / before));
}

/** Finds the hour from which counts are unlike the same hour's on earlier days. `ratio` is how they are now, as a share of the usual ones. */
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
  // Far above usual, the beginning is where it is twice as much: a mean of both would leave out the first, quieter hours.
  const reference = Math.min(2, (1 + ratio) / 2);
  return range.from + findChangePoint(hours, sign * reference);
}

/** The median of the same hour on earlier days. */
function findUsual(at: number, since: number, count: (hour: number) => number): number {
  const counts: number[] = [];
  for (let earlier = at - 24; earlier >= since; earlier -= 24) counts.push(count(earlier));
  counts.sort((a, b) => a - b);
  return counts[Math.floor(counts.length / 2)] ?? 0;
}
