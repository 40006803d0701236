import { countRequests, type Histogram, mergeHistograms } from '../distributions.ts';
import { buildEndpointKey, type EndpointPlace } from '../endpoint-key.ts';
import type { ErrorUnit } from '../error-unit.ts';

export const HOUR_MICROS = 3_600_000_000n;

/** The requests of one hour. */
export interface Hour {
  readonly errors: number;
  readonly histogram: Histogram;
}

/** A part of an endpoint's requests: the requests of one country, for example, or the requests that have a certain error. */
export interface Part {
  readonly name: 'country' | 'instance' | 'attribute' | 'user' | 'error' | 'dependency';
  readonly value: string;
  /** The error, if `name` is `error`. `value` is then the error's message. */
  readonly error?: ErrorUnit;
}

/** The metrics whose values the search for changes compares hour by hour. */
export type Signal =
  | 'p50'
  | 'p95'
  | 'p99'
  | 'errorRate'
  | 'requests'
  | 'memory'
  | 'eventLoopDelay'
  | 'responseSize'
  | 'cacheMisses'
  /** CPU time of the process, in percent of one core. */
  | 'cpu'
  /** Calls to a dependency per request that calls it. */
  | 'calls';

/** True for the percentiles of the durations. One cause raises several of them. */
export function isLatencySignal(signal: Signal): boolean {
  return signal === 'p50' || signal === 'p95' || signal === 'p99';
}

/**
 * The requests to one endpoint in one environment, or a part of these requests, by hour. If the path is empty, the series covers a whole
 * service: one of its own metrics, or its calls to one dependency.
 */
export interface HourSeries extends EndpointPlace {
  readonly part: Part | null;
  /** The metrics that the histograms and error counts of `hours` describe. */
  readonly signals: readonly Signal[];
  /** For a dependency, the endpoints that call it. */
  readonly callers?: readonly EndpointPlace[];
  /** The requests of each hour, by hour since the epoch. Hours without requests are left out. */
  readonly hours: ReadonlyMap<number, Hour>;
}

/** A series that contains only the requests of one release. */
export interface ReleaseSeries extends HourSeries {
  /** The name of the release. Empty for requests that do not report a release. */
  readonly release: string;
}

/** Builds a key that is the same for the series of one metric in all releases. */
export function buildSeriesKey({ part, signals, ...place }: HourSeries): string {
  return JSON.stringify([buildEndpointKey(place), part?.name, part?.error?.id ?? part?.value, signals]);
}

/** Merges the releases of each metric into one series. */
export function mergeReleases(all: readonly ReleaseSeries[]): HourSeries[] {
  return [...Map.groupBy(all, buildSeriesKey).values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const { release: _, ...series } = first;
    return [{ ...series, hours: mergeHours(alike.map(({ hours }) => hours)) }];
  });
}

/** Adds up the hours of several series. */
export function mergeHours(all: readonly ReadonlyMap<number, Hour>[]): ReadonlyMap<number, Hour> {
  const merged = new Map<number, Hour>();
  for (const hours of all) {
    for (const [at, hour] of hours) {
      const other = merged.get(at);
      merged.set(at, other === undefined ? hour : sumUp([other, hour]));
    }
  }
  return merged;
}

/** Lists the metrics that are compared for all requests to an endpoint, or for a part of the requests such as a country. */
export function listWholeSignals(part: Part | null): Signal[] {
  const signals: Signal[] = ['p50', 'p95', 'p99', 'errorRate'];
  return part === null ? [...signals, 'requests'] : signals;
}

/** Hours from `from` up to, but not including, `until`. */
export interface HourRange {
  readonly from: number;
  readonly until: number;
}

export interface Total {
  readonly requests: number;
  readonly errors: number;
  readonly histogram: Histogram;
}

/** Adds up the hours of a range. */
export function sumHours(series: HourSeries, { from, until }: HourRange): Total {
  return addUp(series, listHours(from, until));
}

/**
 * Returns the totals of earlier periods, newest first. Each period is the given range, moved back by whole days. The first does not overlap
 * the range, and the last does not begin before `since`.
 */
export function listBlocks(series: HourSeries, { from, until }: HourRange, since: number): Total[] {
  const days = Math.ceil((until - from) / 24);
  const blocks: Total[] = [];
  for (let back = 24 * days; from - back >= since; back += 24) {
    blocks.push(sumHours(series, { from: from - back, until: until - back }));
  }
  return blocks;
}

/** Adds up all hours between `since` and the window that are at the same hours of the day as the window. */
export function sumBaseline(series: HourSeries, { from, until }: HourRange, since: number): Total {
  const length = until - from;
  const isLike = (hour: number) => length >= 24 || (((hour - from) % 24) + 24) % 24 < length;
  return addUp(series, listHours(since, from).filter(isLike));
}

function listHours(from: number, until: number): number[] {
  return Array.from({ length: Math.max(0, until - from) }, (_, at) => from + at);
}

function addUp({ hours }: HourSeries, chosen: readonly number[]): Total {
  return sumUp(chosen.flatMap((at) => hours.get(at) ?? []));
}

/** Adds up hours. */
export function sumUp(found: readonly Hour[]): Total {
  const histogram = mergeHistograms(found.map((hour) => hour.histogram));
  const errors = found.reduce((sum, hour) => sum + hour.errors, 0);
  return { requests: countRequests(histogram), errors, histogram };
}
