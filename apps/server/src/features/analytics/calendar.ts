import { type AnalyticsInterval, INTERVAL_MS } from '@throughline/contract';
import { findNextDay, startOfDay } from '../traces/index.ts';

/** Returns the local day of an instant, such as `2026-01-31`. `micros` are epoch microseconds, `timeZone` is an IANA time zone. */
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

/** Returns the day that is `days` later. If `days` is negative, the day is earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns when a day begins. The day and the zone must exist. */
function findStartOfDay(day: string, timeZone: string): bigint {
  const start = startOfDay(day, timeZone);
  if (typeof start !== 'bigint') throw new Error(`${day} does not start in ${timeZone}`);
  return start;
}

/**
 * Returns when each interval of a range begins, in epoch microseconds. Days are local days of the time zone. Shorter intervals are counted
 * from the start of each day, so that they begin at whole local hours or minutes. The first interval begins with the range. Intervals that
 * begin after `now` are left out, except the first.
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
    day = findNextDay(day);
    const next = findStartOfDay(day, timeZone);
    const step = interval === 'day' ? next - start : length;
    // The start of the first interval of this day that begins after the start of the range.
    let part = start > from ? start : start + ((from - start) / step + 1n) * step;
    for (; part < next && part < until; part += step) parts.push(part);
    start = next;
  }
  return parts;
}
