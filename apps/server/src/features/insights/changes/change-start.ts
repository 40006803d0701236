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

/** An hour belongs to a change of traffic that is beyond this share of the same hour's usual count. */
const TRAFFIC_SHARES = { down: 0.5, up: 1.5 } as const;

/** Finds the hour in which a change began; the last one of the range where it has no request. */
export function findStart(series: HourSeries, range: HourRange, measure: Measure): number {
  const hours: (CountedHour & { readonly at: number })[] = [];
  for (let at = range.from; at < range.until; at += 1) {
    const hour = series.hours.get(at);
    if (hour === undefined) continue;
    hours.push({ at, requests: countRequests(hour.histogram), changed: measure.count(hour) });
  }
  return hours[findChangePoint(hours, (measure.before + measure.after) / 2)]?.at ?? range.until - 1;
}

/** Finds the first of the last hours in a row whose counts are unlike the same hour's on earlier days. */
export function findTrafficStart(series: HourSeries, range: HourRange, since: number, isUp: boolean): number {
  const count = (at: number) => {
    const hour = series.hours.get(at);
    return hour === undefined ? 0 : countRequests(hour.histogram);
  };
  let start = range.until - 1;
  for (let at = range.until - 1; at >= range.from; at -= 1) {
    const usual = findUsual(at, since, count);
    // At night an hour without a request says nothing.
    if (usual < 3) continue;
    const isChanged = isUp
      ? count(at) >= usual * TRAFFIC_SHARES.up
      : count(at) <= usual * TRAFFIC_SHARES.down;
    if (!isChanged) break;
    start = at;
  }
  return start;
}

/** The median of the same hour on earlier days. */
function findUsual(at: number, since: number, count: (hour: number) => number): number {
  const counts: number[] = [];
  for (let earlier = at - 24; earlier >= since; earlier -= 24) counts.push(count(earlier));
  counts.sort((a, b) => a - b);
  return counts[Math.floor(counts.length / 2)] ?? 0;
}
