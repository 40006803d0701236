import { chooseInterval, INTERVAL_MS } from '@throughline/contract';
import { formatDate } from '../../ui/time/relative-time.ts';
import { buildLastDays, type Period, type Span, toDate, toPeriodSpan } from './calendar-days.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * The chart intervals of a range without an end are chosen as if the range had at least this length. Such a range moves with each new
 * interval: a range of less than two minutes would otherwise move every second.
 */
const MIN_OPEN_MS = 15 * MINUTE_MS;
/** Number of days in the range if the URL contains only an end day. */
const USUAL_DAYS = 7;

/**
 * Ranges that end now. Ranges of minutes and hours have exactly the length `ms`; ranges of days are whole days in the viewer's time zone,
 * today included.
 */
const LAST = {
  '15m': { label: 'Last 15 minutes', ms: 15 * MINUTE_MS },
  '1h': { label: 'Last hour', ms: HOUR_MS },
  '6h': { label: 'Last 6 hours', ms: 6 * HOUR_MS },
  '24h': { label: 'Last 24 hours', ms: 24 * HOUR_MS },
  '1d': { label: 'Today', days: 1 },
  '7d': { label: 'Last 7 days', days: 7 },
  '14d': { label: 'Last 14 days', days: 14 },
  '30d': { label: 'Last 30 days', days: 30 },
  '90d': { label: 'Last 90 days', days: 90 },
} as const satisfies Readonly<
  Record<
    string,
    { readonly label: string; readonly ms: number } | { readonly label: string; readonly days: number }
  >
>;

export const LAST_RANGES = [
  '15m',
  '1h',
  '6h',
  '24h',
  '1d',
  '7d',
  '14d',
  '30d',
  '90d',
] as const satisfies readonly (keyof typeof LAST)[];
/** The value of the URL parameter `last`: a range that ends now, such as `24h`. */
export type LastRange = (typeof LAST_RANGES)[number];

/** A page's time range. */
export type TimeRange =
  | { readonly kind: 'last'; readonly last: LastRange }
  | { readonly kind: 'days'; readonly period: Period }
  /** Two instants as in the URL; without an end, the range ends now. */
  | { readonly kind: 'instants'; readonly from: string; readonly to: string | undefined };

/** The URL parameters of a time range. */
export interface RangeParams {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly last?: LastRange | undefined;
  /** The period of the error list in old links. */
  readonly days?: '1' | '30' | undefined;
}

/**
 * Reads the time range of a URL. Instants win over days, and days over a range that ends now. Returns undefined if the URL contains no
 * range.
 */
export function readTimeRange(params: RangeParams, now: Date): TimeRange | undefined {
  const { from, to, start, end, last = readErrorDays(params) } = params;
  if (from !== undefined) {
    const isInOrder = to !== undefined && Date.parse(from) <= Date.parse(to);
    return { kind: 'instants', from, to: isInOrder ? to : undefined };
  }
  if (start !== undefined || end !== undefined) return { kind: 'days', period: readPeriod(start, end, now) };
  return last === undefined ? undefined : { kind: 'last', last };
}

/** Converts the parameter `days`, which only old links to the error list have, to a range that ends now. */
export function readErrorDays({ days }: Pick<RangeParams, 'days'>): LastRange | undefined {
  if (days === undefined) return undefined;
  return days === '1' ? '24h' : '30d';
}

/**
 * Reads the days of a URL. With only a start: the days from the start to today, or only the start day if the start is in the future. With
 * only an end: the seven days up to the end.
 */
function readPeriod(start: string | undefined, end: string | undefined, now: Date): Period {
  const today = formatDate(now.getTime());
  if (start === undefined) return buildLastDays(USUAL_DAYS, end === undefined ? now : toDate(end));
  return { start, end: end ?? (start > today ? start : today) };
}

export function findLastLabel(last: LastRange): string {
  return LAST[last].label;
}

/** True for whole days up to today. */
export function isLastDays(last: LastRange): boolean {
  return 'days' in LAST[last];
}

/** Returns the days that contain a range. */
export function toDays(range: TimeRange, now: Date): Period {
  if (range.kind === 'days') return range.period;
  const { from, to } = toRangeSpan(range, now);
  return { start: formatDate(from), end: formatDate(Math.max(from, to - 1)) };
}

/**
 * Returns the start and end of a range. Ranges that end now reach to the end of the current chart interval; ranges of whole days reach to
 * the end of the last day.
 */
export function toRangeSpan(range: TimeRange, now: Date): Span {
  switch (range.kind) {
    case 'days':
      return toPeriodSpan(range.period);
    case 'instants': {
      const from = Date.parse(range.from);
      if (range.to !== undefined) return { from, to: Date.parse(range.to) };
      return { from, to: endOfInterval(Math.max(now.getTime() - from, MIN_OPEN_MS), now) };
    }
    case 'last': {
      const last = LAST[range.last];
      if ('days' in last) return toPeriodSpan(buildLastDays(last.days, now));
      const to = endOfInterval(last.ms, now);
      return { from: to - last.ms, to };
    }
  }
}

/** Returns the end of the current interval of a chart whose range has the length `rangeMs`. */
function endOfInterval(rangeMs: number, now: Date): number {
  const partMs = INTERVAL_MS[chooseInterval(rangeMs)];
  // Aligns intervals to the viewer's local time. The offset is in minutes, since some time zones are not whole hours from UTC.
  const offsetMs = now.getTimezoneOffset() * MINUTE_MS;
  return (Math.floor((now.getTime() - offsetMs) / partMs) + 1) * partMs + offsetMs;
}

/** The start and end times of a list of traces, both inclusive. A list without an end also shows new traces. */
export interface ListLimits {
  readonly startDate: string | undefined;
  readonly endDate: string | undefined;
}

/**
 * Returns the start and end of a list for a range. Days that are not over yet, and ranges that end now, have no end. Without a range, which
 * means all time, both are undefined.
 */
export function findListLimits(range: TimeRange | undefined, now: Date): ListLimits {
  if (range === undefined) return { startDate: undefined, endDate: undefined };
  if (range.kind === 'instants') return { startDate: range.from, endDate: range.to };
  const { from, to } = toRangeSpan(range, now);
  const isOver = range.kind === 'days' && from < to && to <= now.getTime();
  return { startDate: new Date(from).toISOString(), endDate: isOver ? endInclusive(to) : undefined };
}

/** Formats the last microsecond before an exclusive end. */
function endInclusive(to: number): string {
  return new Date(to - 1).toISOString().replace('Z', '999Z');
}
