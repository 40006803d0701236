import { z } from 'zod';

/** A time in JSON: ISO 8601 with `Z` or an offset. */
export const Instant = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 instant such as 2026-01-01T00:00:00.000000Z',
});

/** Range of times that the stores support: the years 1900 to 2261, in epoch µs. */
export const MIN_MICROS = -2_208_988_800_000_000n;
export const MAX_MICROS = 9_214_646_400_000_000n;

const PARTS = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?)(?:\.(\d+))?(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Length of `2026-01-01T00:00:00.000000Z`: the format of `Date.prototype.toISOString`, but with six decimals
 * instead of three.
 */
const MICROS_LENGTH = 27;
/** Length of the beginning `2026-01-01T00:00:00.`, up to and including the decimal point. */
const SECOND_LENGTH = 20;
const POINT = 0x2e;
const LETTER_Z = 0x5a;

/**
 * Parses the six decimals of a time such as `2026-01-01T00:00:00.000000Z`. Does not check the part before the decimal point. Returns -1 for
 * a string of another length or format.
 */
function parseDecimals(text: string): number {
  if (text.length !== MICROS_LENGTH || text.charCodeAt(MICROS_LENGTH - 1) !== LETTER_Z) return -1;
  if (text.charCodeAt(SECOND_LENGTH - 1) !== POINT) return -1;
  let decimals = 0;
  for (let at = SECOND_LENGTH; at < MICROS_LENGTH - 1; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    decimals = decimals * 10 + digit;
  }
  return decimals;
}

/** Beginning of the last accepted time with six decimals, up to and including the decimal point. */
let acceptedSecond = '';

/**
 * True if {@link Instant} accepts the string. Caches the last accepted second, since the times of a request usually fall within one or two
 * seconds.
 */
export function isInstant(text: string): boolean {
  const hasMicros = parseDecimals(text) >= 0;
  if (hasMicros && acceptedSecond !== '' && text.startsWith(acceptedSecond)) return true;
  if (!Instant.safeParse(text).success) return false;
  if (hasMicros) acceptedSecond = text.slice(0, SECOND_LENGTH);
  return true;
}

const SECOND = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.$/;
/** Beginning of the last parsed time, including the decimal point, and its epoch µs. */
let lastSecond = '';
let lastSecondMicros = 0n;

/** Converts an ISO 8601 time to epoch µs. Drops digits beyond µs. Returns undefined for an invalid time. */
export function parseInstant(text: string): bigint | undefined {
  const decimals = parseDecimals(text);
  if (decimals < 0) return parseAnyInstant(text);
  if (lastSecond === '' || !text.startsWith(lastSecond)) {
    const second = text.slice(0, SECOND_LENGTH);
    const millis = SECOND.test(second) ? Date.parse(`${second.slice(0, -1)}Z`) : Number.NaN;
    if (Number.isNaN(millis)) return undefined;
    lastSecond = second;
    lastSecondMicros = BigInt(millis) * 1000n;
  }
  return lastSecondMicros + BigInt(decimals);
}

function parseAnyInstant(text: string): bigint | undefined {
  const parts = PARTS.exec(text);
  if (parts === null) return undefined;
  const [, seconds = '', fraction = '', zone = ''] = parts;
  const millis = Date.parse(seconds + zone);
  if (Number.isNaN(millis)) return undefined;
  return BigInt(millis) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

const MICROS = 1_000_000n;
/** Epoch seconds of the last formatted time. `writtenSecond` is its text, up to and including the decimal point. */
let writtenSeconds = Number.NaN;
let writtenSecond = '';

/** Formats epoch µs as ISO 8601 in UTC with six decimals. */
export function formatInstant(micros: bigint): string {
  const decimals = Number(((micros % MICROS) + MICROS) % MICROS);
  const seconds = Number((micros - BigInt(decimals)) / MICROS);
  if (seconds !== writtenSeconds) {
    writtenSecond = new Date(seconds * 1000).toISOString().slice(0, SECOND_LENGTH);
    writtenSeconds = seconds;
  }
  return `${writtenSecond}${String(decimals).padStart(6, '0')}Z`;
}

/** Formats the day in UTC, as in `2026-11-30`. */
export function formatDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
