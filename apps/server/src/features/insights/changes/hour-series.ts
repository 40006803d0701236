import { countRequests, type Histogram, together } from '../distributions.ts';

export const HOUR_MICROS = 3_600_000_000n;

/** The requests of one hour. */
export interface Hour {
  readonly errors: number;
  readonly histogram: Histogram;
}

/** A part of an endpoint's requests, such as those of one country. */
export interface Part {
  readonly name: 'country' | 'instance';
  readonly value: string;
}

/** The requests to one endpoint in one environment, or a part of them, by the hour. */
export interface HourSeries {
  readonly service: string;
  readonly environment: string;
  readonly method: string;
  readonly path: string;
  readonly part: Part | null;
  /** By hours since the epoch. Hours without a request are left out. */
  readonly hours: ReadonlyMap<number, Hour>;
}

/** Hours from `from` until, without, `until`. */
export interface HourRange {
  readonly from: number;
  readonly until: number;
}

export interface Total {
  readonly requests: number;
  readonly errors: number;
  readonly histogram: Histogram;
}

/** Adds up the hours for which `includes` is true. */
export function sumHours({ hours }: HourSeries, includes: (hour: number) => boolean): Total {
  const chosen = [...hours].flatMap(([at, hour]) => (includes(at) ? [hour] : []));
  const histogram = together(chosen.map((hour) => hour.histogram));
  const errors = chosen.reduce((sum, hour) => sum + hour.errors, 0);
  return { requests: countRequests(histogram), errors, histogram };
}

/** Adds up each earlier stretch at the same hours of the day, the newest first, back to `since`. */
export function listBlocks(series: HourSeries, window: HourRange, since: number): Total[] {
  const days = Math.ceil((window.until - window.from) / 24);
  const blocks: Total[] = [];
  for (let back = 24 * days; window.from - back >= since; back += 24) {
    blocks.push(sumHours(series, (hour) => hour >= window.from - back && hour < window.until - back));
  }
  return blocks;
}

/** Adds up all hours from `since` until the window that are at its hours of the day. */
export function sumBaseline(series: HourSeries, window: HourRange, since: number): Total {
  const length = window.until - window.from;
  return sumHours(series, (hour) => {
    if (hour < since || hour >= window.from) return false;
    return length >= 24 || (((hour - window.from) % 24) + 24) % 24 < length;
  });
}
