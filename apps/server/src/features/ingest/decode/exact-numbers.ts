import { INGEST_LIMITS } from '@throughline/contract';
import { JsonTooLarge } from '../../../platform/json-bounds/json-bounds.ts';

/**
 * JSON numbers that a JavaScript double would change: 12345678901234567890, 1e400, -0. They are rare, so a scan of the text decides whether a slower
 * parser is needed.
 */

/**
 * Matches numbers that a double can change: 16 or more characters, an exponent, a negative zero. The preceding character excludes most matches inside
 * strings; a match inside a string only costs the check below.
 */
const SUSPECTS = /[:,[\s](-?(?:[\d.]{16,}(?:[eE][+-]?\d+)?|[\d.]+[eE][+-]?\d+)|-0(?:\.0*)?)(?=[,\]}\s])/g;

const MAX_DIGITS = INGEST_LIMITS.digits.max;

/** ES2026: the engine has it, TypeScript's libraries do not yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/** Returns true if a double can hold every number of this JSON text. A too long number counts as not held, since it can be part of a string. */
export function holdsAll(text: string): boolean {
  for (const [, number = ''] of text.matchAll(SUSPECTS)) {
    if (number.length > MAX_DIGITS || !survives(number, Number(number))) return false;
  }
  return true;
}

/** Parses JSON so that writing it again gives numbers of the same value; uses the fast parser if that is enough. */
export function readExactly(text: string): unknown {
  return holdsAll(text) ? JSON.parse(text) : readKeepingNumbers(text);
}

/**
 * Parses JSON so that writing it again reproduces each number's digits.
 * @throws JsonTooLarge if a number has too many characters
 */
export function readKeepingNumbers(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== 'number' || context?.source === undefined) return value;
    return survives(context.source, value) ? value : rawJSON(context.source);
  });
}

function survives(source: string, value: number): boolean {
  if (source.length > MAX_DIGITS) throw new JsonTooLarge('digits', MAX_DIGITS);
  if (Object.is(value, -0)) return false;
  if (!Number.isFinite(value)) return false;
  const written = String(value);
  return written === source || canonical(source) === canonical(written);
}

/** Normalizes a decimal number to sign, significant digits and exponent: equal for 100, 1e2 and 100.0. */
function canonical(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? mantissa.slice(1) : mantissa).split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  // No double is written with an exponent that is too long for a double, so the texts stay different.
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${negative ? '-' : ''}${significant}e${power}`;
}
