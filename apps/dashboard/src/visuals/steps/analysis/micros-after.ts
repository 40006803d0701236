import { parseInstant } from '@throughline/contract';

/** The server's format of instants: 2026-01-31T14:02:10.231000Z. */
const LENGTH = '2026-01-31T14:02:10.231000Z'.length;
const MINUTES_AT = 14;
const SECONDS_AT = 17;
const MICROS_AT = 20;

/**
 * Returns a function that computes how many microseconds after `begin` an instant is: negative if earlier, 0 if invalid. Most instants of a
 * trace are within the same hour, so their digits are parsed without BigInt: a trace has up to 100,000 steps.
 */
export function createMicrosAfter(begin: string): (instant: string) => number {
  const beginMicros = parseInstant(begin) ?? 0n;
  const hour = begin.slice(0, MINUTES_AT);
  const withinHour = isUsual(begin) ? readDigitsWithinHour(begin) : Number.NaN;
  return (instant) => {
    if (instant.startsWith(hour) && isUsual(instant)) {
      const micros = readDigitsWithinHour(instant) - withinHour;
      if (!Number.isNaN(micros)) return micros;
    }
    return Number((parseInstant(instant) ?? beginMicros) - beginMicros);
  };
}

function isUsual(instant: string): boolean {
  return instant.length === LENGTH && instant.endsWith('Z') && instant[MICROS_AT - 1] === '.';
}

function readDigitsWithinHour(instant: string): number {
  const minutes = Number(instant.slice(MINUTES_AT, MINUTES_AT + 2));
  const seconds = Number(instant.slice(SECONDS_AT, SECONDS_AT + 2));
  return (minutes * 60 + seconds) * 1_000_000 + Number(instant.slice(MICROS_AT, -1));
}
