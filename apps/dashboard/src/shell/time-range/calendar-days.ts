import { formatDate } from '../../ui/time/relative-time.ts';

/** A range of time with an exclusive end. Epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Whole days in the viewer's time zone, both inclusive, as 2026-01-31. */
export interface Period {
  readonly start: string;
  readonly end: string;
}

/** Returns the given number of days up to and including today. */
export function buildLastDays(days: number, now: Date): Period {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1));
  return { start: formatDate(first.getTime()), end: formatDate(now.getTime()) };
}

/** Returns midnight of the given day in the viewer's time zone, or midnight `later` days after that day. */
export function toDate(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later);
}

/** Returns the time from the first day's start to the last day's end; a day may have 23 or 25 hours. */
export function toPeriodSpan({ start, end }: Period): Span {
  return { from: toDate(start).getTime(), to: toDate(end, 1).getTime() };
}
