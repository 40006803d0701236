import { formatDate } from '../../ui/relative-time.ts';
import type { Span } from '../../visuals/plots/spans.ts';

/** Whole days of the viewer's zone, both included, as 2026-01-31. */
export interface Period {
  readonly start: string;
  readonly end: string;
}

/** The server answers for no longer ranges. */
const MOST_DAYS = 400;
const DEFAULT_DAYS = 7;

export const PRESETS = [
  { days: 1, label: 'Today' },
  { days: 7, label: 'Last 7 days' },
  { days: 14, label: 'Last 14 days' },
  { days: 30, label: 'Last 30 days' },
  { days: 90, label: 'Last 90 days' },
] as const;

/** So many days up to today. */
export function lastDays(days: number, now: Date): Period {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1));
  return { start: formatDate(first.getTime()), end: formatDate(now.getTime()) };
}

/** What an address asks for; without days, the last seven; with one of them, the seven that begin or end there. */
export function periodOf(start: string | undefined, end: string | undefined, now: Date): Period {
  if (start !== undefined && end !== undefined) return { start, end };
  if (start !== undefined) {
    const today = formatDate(now.getTime());
    return { start, end: start > today ? start : today };
  }
  return lastDays(DEFAULT_DAYS, end === undefined ? now : new Date(startOfDay(end)));
}

/** Why there can be no figures of a period; undefined where there can. */
export function faultOf({ start, end }: Period): string | undefined {
  if (end < start) return 'End date must not be before the start date.';
  const days = Math.round((startOfDay(end) - startOfDay(start)) / 86_400_000) + 1;
  return days > MOST_DAYS ? `The range must not be longer than ${MOST_DAYS} days.` : undefined;
}

/** Which of the presets this period is now. */
export function presetOf({ start, end }: Period, now: Date): number | undefined {
  return PRESETS.find(({ days }) => {
    const preset = lastDays(days, now);
    return preset.start === start && preset.end === end;
  })?.days;
}

/** Midnight at which a day begins in the viewer's zone. Epoch milliseconds. */
function startOfDay(day: string, later = 0): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).getTime();
}

/** From the first day's beginning to the last one's end; a day may have 23 or 25 hours. */
export function spanOfPeriod({ start, end }: Period): Span {
  return { from: startOfDay(start), to: startOfDay(end, 1) };
}
