import { formatDay } from '@throughline/contract';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Returns the time (epoch microseconds) at which a day, such as 2026-01-31, begins in an IANA time zone: midnight, or the first time after
 * midnight if a clock change skips midnight. Returns undefined for a day that does not exist, and `unknown-zone` for an unknown zone.
 */
export function startOfDay(day: string, timeZone: string): bigint | undefined | 'unknown-zone' {
  const midnightMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnightMs) || formatDay(new Date(midnightMs)) !== day) return undefined;
  const offsetAt = buildOffsetReader(timeZone);
  if (offsetAt === undefined) return 'unknown-zone';
  // Two candidates: midnight by the offset before a possible clock change, and midnight by the offset after the change. The day begins at
  // the earliest candidate at which the clock shows midnight. If the clock change skips midnight, the day begins at the later candidate.
  const candidates = [offsetAt(midnightMs - DAY_MS), offsetAt(midnightMs + DAY_MS)].map(
    (offsetMs) => midnightMs - offsetMs,
  );
  const exact = candidates.filter((instantMs) => instantMs + offsetAt(instantMs) === midnightMs);
  return BigInt(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)) * 1000n;
}

/** Returns the next day. A string that is not a day is returned unchanged. */
export function findNextDay(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(ms) ? day : formatDay(new Date(ms + DAY_MS));
}

/** Returns a function that gives the zone's offset from UTC at a time, in ms; undefined for an unknown zone. */
function buildOffsetReader(timeZone: string): ((instantMs: number) => number) | undefined {
  const format = formatIn(timeZone);
  if (format === undefined) return undefined;
  return (instantMs) => {
    const parts = new Map(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const wallMs = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return wallMs - Math.floor(instantMs / 1000) * 1000;
  };
}

function formatIn(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
}
