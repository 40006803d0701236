import { type AnalyticsExtent, chooseInterval, INTERVAL_MS } from '@throughline/contract';
import { formatDate } from '../../../ui/time/relative-time.ts';
import type { Span } from '../../../visuals/plots/series/spans.ts';

/** Whole days in the viewer's time zone, both inclusive, as 2026-01-31. */
export interface Period {
  readonly start: string;
  readonly end: string;
}

/** The time range of the analytics page: whole days, or the last hours. */
export type TimeRange =
  | { readonly kind: 'days'; readonly period: Period }
  | { readonly kind: 'last'; readonly last: LastHours };

/** The server rejects longer ranges. */
const MAX_DAYS = 400;
const USUAL_DAYS = 7;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Ranges of up to 24 hours that end now, stored in the URL as `last`. */
export const HOUR_PRESETS = [
  { last: '1h', ms: HOUR_MS, label: 'Last hour' },
  { last: '6h', ms: 6 * HOUR_MS, label: 'Last 6 hours' },
  { last: '24h', ms: 24 * HOUR_MS, label: 'Last 24 hours' },
] as const;
export type LastHours = (typeof HOUR_PRESETS)[number]['last'];

export const DAY_PRESETS = [
  { days: 1, label: 'Today' },
  { days: 7, label: 'Last 7 days' },
  { days: 14, label: 'Last 14 days' },
  { days: 30, label: 'Last 30 days' },
  { days: 90, label: 'Last 90 days' },
] as const;

/** Returns the given number of days up to today. */
export function lastDays(days: number, now: Date): Period {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1));
  return { start: formatDate(first.getTime()), end: formatDate(now.getTime()) };
}

interface RangeParams {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly last?: LastHours | undefined;
}

/** True if the URL contains a time range. */
export function namesRange({ start, end, last }: RangeParams): boolean {
  return start !== undefined || end !== undefined || last !== undefined;
}

/** Returns the URL's range: with only one day, the seven days that begin or end there; without any, the period that has data. */
export function readRange({ start, end, last }: RangeParams, extent: AnalyticsExtent, now: Date): TimeRange {
  if (start !== undefined && end !== undefined) return daysOver(start, end);
  if (start !== undefined) {
    const today = formatDate(now.getTime());
    return daysOver(start, start > today ? start : today);
  }
  if (end !== undefined) return { kind: 'days', period: lastDays(USUAL_DAYS, toDate(end)) };
  return last === undefined ? findRangeWithData(extent, now) : { kind: 'last', last };
}

/** Returns the shortest preset that has all traces of the last seven days; if all traces are older, one that has some of them. */
function findRangeWithData(extent: AnalyticsExtent, now: Date): TimeRange {
  const usual = lastDays(USUAL_DAYS, now);
  if (extent === null) return { kind: 'days', period: usual };
  const [first, last] = [Date.parse(extent.first), Date.parse(extent.last)];
  if (last < spanOfPeriod(usual).from) {
    const reaching = DAY_PRESETS.map(({ days }) => lastDays(days, now)).find(
      (period) => spanOfPeriod(period).from <= last,
    );
    return { kind: 'days', period: reaching ?? lastDays(USUAL_DAYS, new Date(last)) };
  }
  const hours = HOUR_PRESETS.find((preset) => spanOfHours(preset.last, now).from <= first);
  if (hours !== undefined) return { kind: 'last', last: hours.last };
  const isOlder = first < spanOfPeriod(usual).from;
  return daysOver(isOlder ? usual.start : formatDate(first), usual.end);
}

function daysOver(start: string, end: string): TimeRange {
  return { kind: 'days', period: { start, end } };
}

/** Returns why a range cannot have stats; undefined if it can. */
export function findFault(range: TimeRange): string | undefined {
  if (range.kind === 'last') return undefined;
  const { start, end } = range.period;
  if (end < start) return 'End date must not be before the start date.';
  const days = Math.round((startOfDay(end) - startOfDay(start)) / DAY_MS) + 1;
  return days > MAX_DAYS ? `The range must not be longer than ${MAX_DAYS} days.` : undefined;
}

/** Returns the preset that equals the range now, as an option of the select. */
export function findPreset(range: TimeRange, now: Date): string | undefined {
  if (range.kind === 'last') return range.last;
  const { start, end } = range.period;
  const days = DAY_PRESETS.find((preset) => {
    const period = lastDays(preset.days, now);
    return period.start === start && period.end === end;
  })?.days;
  return days === undefined ? undefined : String(days);
}

function toDate(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later);
}

/** Returns the midnight at which a day begins in the viewer's time zone. Epoch milliseconds. */
function startOfDay(day: string, later = 0): number {
  return toDate(day, later).getTime();
}

/** Returns the time from the first day's start to the last day's end; a day may have 23 or 25 hours. */
export function spanOfPeriod({ start, end }: Period): Span {
  return { from: startOfDay(start), to: startOfDay(end, 1) };
}

/** Returns whole chart intervals, the last of which is in progress. */
function spanOfHours(last: LastHours, now: Date): Span {
  const ms = HOUR_PRESETS.find((preset) => preset.last === last)?.ms ?? DAY_MS;
  const partMs = INTERVAL_MS[chooseInterval(ms)];
  // Intervals are aligned to the viewer's clock; time zones differ by whole minutes.
  const offsetMs = now.getTimezoneOffset() * MINUTE_MS;
  const to = (Math.floor((now.getTime() - offsetMs) / partMs) + 1) * partMs + offsetMs;
  return { from: to - ms, to };
}

/** Returns the start and end of a range. Epoch milliseconds. */
export function spanOfRange(range: TimeRange, now: Date): Span {
  return range.kind === 'last' ? spanOfHours(range.last, now) : spanOfPeriod(range.period);
}

/** Returns the days that contain a range. */
export function toDays(range: TimeRange, now: Date): Period {
  if (range.kind === 'days') return range.period;
  const { from, to } = spanOfHours(range.last, now);
  return { start: formatDate(from), end: formatDate(to - 1) };
}
