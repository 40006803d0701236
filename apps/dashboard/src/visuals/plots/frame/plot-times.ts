import { formatDate, formatDay, formatTimeOfDay } from '../../../ui/time/relative-time.ts';
import type { Span } from '../series/spans.ts';

const HOUR_MS = 3_600_000;
/** The shortest day has 23 hours: the day on which daylight saving time begins. */
const MIN_DAY_MS = 23 * HOUR_MS;

/** Formats a time range as briefly as possible, in the viewer's time zone: whole days as dates, any other range as days and times. */
export function formatSpan({ from, to }: Span): string {
  const time = (ms: number) => formatTimeOfDay(ms).slice(0, to - from < 60_000 ? 8 : 5);
  const wholeDays = time(from) === '00:00' && time(to) === '00:00' && to - from >= MIN_DAY_MS;
  if (wholeDays) {
    const last = formatDate(to - 1);
    return formatDate(from) === last ? last : `${formatDate(from)} – ${last}`;
  }
  const sameDay = formatDate(from) === formatDate(to - 1);
  return `${formatDay(from)} ${time(from)} – ${sameDay ? '' : `${formatDay(to)} `}${time(to)}`;
}

/**
 * Formats the ticks of a time axis, in order: the date at the start of a day, otherwise the time. The first tick also has the date, unless
 * the first tick is today.
 */
export function formatTicks(instants: readonly number[], nowMs: number = Date.now()): readonly string[] {
  return instants.map((ms, place) => {
    const time = formatTimeOfDay(ms).slice(0, 5);
    if (time === '00:00') return formatDay(ms);
    return place > 0 || formatDate(ms) === formatDate(nowMs) ? time : `${formatDay(ms)} ${time}`;
  });
}
