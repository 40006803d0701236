import { dayAfter, startOfDay } from '../traces/index.ts';

const HOUR_MICROS = 3_600_000_000n;

/** The day (2026-01-31) that an instant, epoch µs, belongs to in an IANA time zone. */
export function dayOf(micros: bigint, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const parts = new Map(format.formatToParts(Number(micros / 1000n)).map(({ type, value }) => [type, value]));
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

/** The day so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** When a day begins that is known to exist, in a zone that is known. */
function beginningOf(day: string, timeZone: string): bigint {
  const start = startOfDay(day, timeZone);
  if (typeof start !== 'bigint') throw new Error(`${day} does not begin in ${timeZone}`);
  return start;
}

export type Interval = 'hour' | 'day';

/**
 * When each part of a range begins, epoch µs: days as the zone has them, and hours counted from each day's beginning, so that they are whole
 * hours on its clocks. The first part begins with the range.
 */
export function partsOf(
  range: { readonly from: bigint; readonly until: bigint },
  timeZone: string,
  interval: Interval,
): bigint[] {
  const parts: bigint[] = [range.from];
  const add = (start: bigint) => {
    if (start > range.from && start < range.until) parts.push(start);
  };
  let day = dayOf(range.from, timeZone);
  for (let start = beginningOf(day, timeZone); start < range.until; ) {
    day = dayAfter(day);
    const next = beginningOf(day, timeZone);
    if (interval === 'day') add(start);
    else for (let hour = start; hour < next; hour += HOUR_MICROS) add(hour);
    start = next;
  }
  return parts;
}
