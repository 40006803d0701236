import {
  type AnalyticsInterval,
  type AnalyticsQuery,
  type AnalyticsRange,
  chooseInterval,
  formatInstant,
  MAX_MICROS,
  MIN_MICROS,
  parseInstant,
} from '@throughline/contract';
import { toMicros } from '../../platform/clock.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { Range, Reading } from '../rollups/index.ts';
import { findNextDay, startOfDay } from '../traces/index.ts';
import { addDays, findDay, splitRange } from './calendar.ts';

const DAY_MICROS = 86_400_000_000n;
/** Number of days in the range if the query names no range. */
const USUAL_DAYS = 7;
const MAX_DAYS = 400n;

/** Range and filters of an analytics query. */
export interface Scope {
  readonly project: ShownProject;
  readonly timeZone: string;
  readonly interval: AnalyticsInterval;
  /** The range, the intervals of the range that have begun, and the filters. */
  readonly reading: Reading & Required<Pick<Reading, 'parts'>>;
  /** The previous period, if it is requested. */
  readonly before: Range | undefined;
  /** The previous period, if it is requested and the plan still shows all of it. */
  readonly previous: Scope['reading'] | undefined;
}

/**
 * Reads the range and filters of a query. A day stands for the whole local day, also as the end of the range. An instant is used as it is.
 * @throws AppError `validation_failed`
 */
export function readScope(query: AnalyticsQuery, project: ShownProject, now: Date): Scope {
  const { timeZone } = query;
  if (startOfDay('2026-01-01', timeZone) === 'unknown-zone') {
    throw buildInvalidError('timeZone', `${timeZone} is not a time zone's name`);
  }
  const nowMicros = toMicros(now.getTime());
  const range = parseRange(query, nowMicros);
  const interval = chooseInterval(Number(range.until - range.from) / 1000);
  const filters = { service: query.service, environment: query.environment, release: query.release };
  const before = query.compare === 'previous' ? findPeriodBefore(range, timeZone) : undefined;
  const isShown = before !== undefined && before.from >= project.shownSince;
  return {
    project,
    timeZone,
    interval,
    before,
    reading: { ...range, ...filters, parts: splitRange(range, timeZone, interval, nowMicros) },
    previous: isShown
      ? { ...before, ...filters, parts: splitPrevious(range, before, timeZone, interval) }
      : undefined,
  };
}

/**
 * Counts the days before now whose requests the plan shows. Cache keys contain this number, because `shownSince` itself changes with the
 * time. Rounds to the nearest day, because `shownSince` was computed some milliseconds before or after `now`.
 */
export function countShownDays({ shownSince }: Pick<ShownProject, 'shownSince'>, now: Date): number {
  return Number((toMicros(now.getTime()) - shownSince + DAY_MICROS / 2n) / DAY_MICROS);
}

export function describeRange(
  { project, timeZone, interval, reading, before }: Scope,
  sampleRate: number | null,
): AnalyticsRange {
  const describe = ({ from, until }: Range) => ({
    startDate: formatInstant(from),
    endDate: formatInstant(until),
    shownSince: project.shownSince > from ? formatInstant(project.shownSince) : null,
  });
  return {
    ...describe(reading),
    timeZone,
    interval,
    previous: before === undefined ? null : describe(before),
    sampleRate,
  };
}

function parseRange(query: AnalyticsQuery, now: bigint): Range {
  const { timeZone, startDate, endDate } = query;
  const until = bound(endDate ?? findDay(now, timeZone), timeZone, 'endDate');
  const from = bound(
    startDate ?? addDays(findDay(until - 1n, timeZone), 1 - USUAL_DAYS),
    timeZone,
    'startDate',
  );
  if (until <= from) throw buildInvalidError('endDate', 'The end date is before the start date');
  if (until - from > MAX_DAYS * DAY_MICROS) {
    throw buildInvalidError('startDate', `A range is at most ${MAX_DAYS} days long`);
  }
  return { from, until };
}

/**
 * Finds the period before a range. If the range consists of whole days, the period has the same number of days. Otherwise it has the same
 * length.
 */
function findPeriodBefore({ from, until }: Range, timeZone: string): Range {
  const [first, end] = [findDay(from, timeZone), findDay(until, timeZone)];
  const areDays = startOfDay(first, timeZone) === from && startOfDay(end, timeZone) === until;
  if (!areDays) return { from: from - (until - from), until: from };
  const days = Math.round((Date.parse(end) - Date.parse(first)) / 86_400_000);
  const start = startOfDay(addDays(first, -days), timeZone);
  return { from: typeof start === 'bigint' ? start : from - (until - from), until: from };
}

/**
 * Returns when each interval of the previous period begins. Hours and days are local hours and days, because rollups exist by the hour.
 * Shorter intervals are as far from the start of the period as the range's intervals are from the start of the range. If the period is
 * longer than the range, such as a day of 25 hours, the period gets one interval more than the range. Responses leave out this interval.
 * Without this interval, the last interval in a response would also count the excess hour.
 */
function splitPrevious(range: Range, before: Range, timeZone: string, interval: AnalyticsInterval): bigint[] {
  if (interval === 'hour' || interval === 'day') {
    return splitRange(before, timeZone, interval, before.until);
  }
  const shift = range.from - before.from;
  return [...splitRange(range, timeZone, interval, range.until), range.until]
    .map((part) => part - shift)
    .filter((part) => part < before.until);
}

function bound(text: string, timeZone: string, field: 'startDate' | 'endDate'): bigint {
  const micros = text.includes('T')
    ? parseInstant(text)
    : startOfDay(field === 'endDate' ? findNextDay(text) : text, timeZone);
  if (typeof micros !== 'bigint' || micros < MIN_MICROS + DAY_MICROS * MAX_DAYS || micros > MAX_MICROS) {
    throw buildInvalidError(field, `${field} must be a day or an instant between the years 1902 and 2261`);
  }
  return micros;
}

function buildInvalidError(path: string, message: string): AppError {
  return new AppError('validation_failed', message, { details: { fields: [{ path, message }] } });
}
