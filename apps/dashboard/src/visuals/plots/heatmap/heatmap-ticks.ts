import type { Span } from '../series/spans.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
/** Steps between labels that readers expect on a clock or a calendar. Minutes. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 7 * 1440, 14 * 1440, 28 * 1440];

/**
 * Returns the columns to label, which are at least `least` columns apart: those that begin at round times of the viewer's clock, such as
 * full hours or midnights. Labels at equal distances would show arbitrary hours, such as 23:00 and then 22:00 of another day.
 */
export function findTicks(times: readonly Span[], least: number): readonly number[] {
  const [first] = times;
  if (first === undefined) return [];
  const columnMinutes = (first.to - first.from) / MINUTE_MS;
  const needed = Math.max(1, least) * columnMinutes;
  const step = STEPS.find((minutes) => minutes >= needed) ?? Math.ceil(needed / DAY_MINUTES) * DAY_MINUTES;
  const firstDay = countMinutes(first.from) - (countMinutes(first.from) % DAY_MINUTES);
  return times.flatMap(({ from }, column) => ((countMinutes(from) - firstDay) % step === 0 ? [column] : []));
}

/** Counts minutes of the viewer's clock, in which every day has 24 hours. */
function countMinutes(ms: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours(), at.getMinutes()) / MINUTE_MS;
}
