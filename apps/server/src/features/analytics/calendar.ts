import { type AnalyticsInterval, INTERVAL_MS } from '@throughline/contract';
import { dayAfter, startOfDay } from '../traces/index.ts';

/** The day (2026-01-31) that an instant, epoch µs, belongs to in an IANA time zone. */
export function findDay(micros: bigint, timeZone: string): string {
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
function findStartOfDay(day: string, timeZone: string): bigint {
  const start = startOfDay(day, timeZone);
  if (typeof start !== 'bigint') throw new Error(`${day} does not start in ${timeZone}`);
  return start;
}

/**
 * When each part of a range begins, epoch µs: days as the zone has them, and shorter parts counted from each day's beginning, so that they are whole
 * on its clocks. The first part begins with the range; parts that begin after `now` are left out, but never the first.
 */
export function splitRange(
  range: { readonly from: bigint; readonly until: bigint },
  timeZone: string,
  interval: AnalyticsInterval,
  now: bigint,
): bigint[] {
  const { from } = range;
  const until = range.until <= now ? range.until : now + 1n;
  const parts: bigint[] = [from];
  const length = BigInt(INTERVAL_MS[interval]) * 1000n;
  let day = findDay(from, timeZone);
  for (let start = findStartOfDay(day, timeZone); start < until; ) {
    day = dayAfter(day);
    const next = findStartOfDay(day, timeZone);
    const step = interval === 'day' ? next - start : length;
    // The first part after the beginning of the range, or the day's own.
    let part = start > from ? start : start + ((from - start) / step + 1n) * step;
    for (; part < next && part < until; part += step) parts.push(part);
    start = next;
  }
  return parts;
}
