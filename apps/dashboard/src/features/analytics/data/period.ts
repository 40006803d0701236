import type { AnalyticsExtent } from '@throughline/contract';
import { END_BEFORE_START } from '../../../shell/time-range/absolute-range.ts';
import { buildLastDays, toDate, toPeriodSpan } from '../../../shell/time-range/calendar-days.ts';
import {
  isLastDays,
  LAST_RANGES,
  type RangeParams,
  readTimeRange,
  type TimeRange,
  toRangeSpan,
} from '../../../shell/time-range/time-range.ts';
import { formatDate } from '../../../ui/time/relative-time.ts';

/** The server rejects longer ranges. */
const MAX_DAYS = 400;
const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;
const USUAL = { kind: 'last', last: '7d' } as const;

/** True if the URL contains a time range other than a zoom. */
export function namesRange(params: RangeParams): boolean {
  return readBaseRange(params, new Date()) !== undefined;
}

/** Returns the range in the URL. Without a range in the URL, returns a range that has data. */
export function readRange(params: RangeParams, extent: AnalyticsExtent, now: Date): TimeRange {
  return readBaseRange(params, now) ?? findRangeWithData(extent, now);
}

/**
 * Reads the page's range from the URL and ignores a zoom. `from` together with `to` is a zoom into the range that the other parameters
 * name; `from` alone is a range that ends now.
 */
function readBaseRange({ from, to, ...rest }: RangeParams, now: Date): TimeRange | undefined {
  return readTimeRange(to === undefined ? { ...rest, from } : rest, now);
}

/**
 * Chooses the range on which the page opens: usually the last seven days. If all traces are newer, chooses a shorter range: the shortest
 * preset of hours that contains them all, or the days since the first trace. If all traces are older, chooses the shortest preset of days
 * that contains the last trace, or seven days that end with the last trace.
 */
function findRangeWithData(extent: AnalyticsExtent, now: Date): TimeRange {
  if (extent === null) return USUAL;
  const [first, last] = [Date.parse(extent.first), Date.parse(extent.last)];
  const usual = buildLastDays(USUAL_DAYS, now);
  const presets = LAST_RANGES.map((preset) => ({ kind: 'last', last: preset }) as const);
  const startsBy = (ms: number) => (range: TimeRange) => toRangeSpan(range, now).from <= ms;
  if (last < toPeriodSpan(usual).from) {
    const reaching = presets.filter((range) => isLastDays(range.last)).find(startsBy(last));
    return reaching ?? { kind: 'days', period: buildLastDays(USUAL_DAYS, new Date(last)) };
  }
  // Skips the preset of 15 minutes: a quarter of an hour is too short for the range on which the page opens.
  const hours = presets
    .filter((range) => !isLastDays(range.last) && range.last !== '15m')
    .find(startsBy(first));
  if (hours !== undefined) return hours;
  if (first < toPeriodSpan(usual).from) return USUAL;
  return { kind: 'days', period: { start: formatDate(first), end: usual.end } };
}

/** Returns the reason why a range cannot have stats, or undefined if the range can have stats. */
export function findFault(range: TimeRange, now: Date): string | undefined {
  if (range.kind === 'last') return undefined;
  if (range.kind === 'days') {
    const { start, end } = range.period;
    if (end < start) return END_BEFORE_START;
    const days = Math.round((toDate(end).getTime() - toDate(start).getTime()) / DAY_MS) + 1;
    return days > MAX_DAYS ? TOO_LONG : undefined;
  }
  const { from, to } = toRangeSpan(range, now);
  if (to <= from) return 'The start must not be in the future.';
  return to - from > MAX_DAYS * DAY_MS ? TOO_LONG : undefined;
}

const TOO_LONG = `The range must not be longer than ${MAX_DAYS} days.`;
