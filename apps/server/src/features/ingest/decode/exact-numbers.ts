import { INGEST_LIMITS } from '@throughline/contract';
import { JsonTooLarge } from '../../../platform/json-bounds/json-bounds.ts';

/**
 * Handles JSON numbers that a JavaScript double would change, such as 12345678901234567890, 1e400 and -0. Such numbers are rare,
 * so a scan of the JSON decides whether a slower parser is needed.
 */

/**
 * Matches numbers that a double can change: 16 or more characters, an exponent, or negative zero. Requiring a preceding `:`, `,`, `[` or
 * space excludes most matches inside strings. A match inside a string does no harm: it only costs one more check.
 */
const SUSPECTS = /[:,[\s](-?(?:[\d.]{16,}(?:[eE][+-]?\d+)?|[\d.]+[eE][+-]?\d+)|-0(?:\.0*)?)(?=[,\]}\s])/g;

const MAX_DIGITS = INGEST_LIMITS.digits.max;

/** `rawJSON` is part of ES2026. The engine has `rawJSON`, but TypeScript's libraries do not declare it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/**
 * Returns true if a double can represent every number of this JSON. A match of `SUSPECTS` with too many characters counts as not
 * representable. Such a match can be part of a string, so the slower parser decides whether it is a number above the limit.
 */
export function areNumbersExact(text: string): boolean {
  for (const [, number = ''] of text.matchAll(SUSPECTS)) {
    if (number.length > MAX_DIGITS || !isExactDouble(number, Number(number))) return false;
  }
  return true;
}

/** Parses JSON so that serializing the result gives numbers of the same value. Uses the fast parser if all numbers fit into doubles. */
export function readExactly(text: string): unknown {
  return areNumbersExact(text) ? JSON.parse(text) : readKeepingNumbers(text);
}

/**
 * Parses JSON so that serializing the result gives numbers of the same value: numbers that a double would change keep their digits.
 * @throws JsonTooLarge if a number has too many characters
 */
export function readKeepingNumbers(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== 'number' || context?.source === undefined) return value;
    return isExactDouble(context.source, value) ? value : rawJSON(context.source);
  });
}

function isExactDouble(source: string, value: number): boolean {
  if (source.length > MAX_DIGITS) throw new JsonTooLarge('digits', MAX_DIGITS);
  if (Object.is(value, -0)) return false;
  if (!Number.isFinite(value)) return false;
  const written = String(value);
  return written === source || normalizeDecimal(source) === normalizeDecimal(written);
}

/**
 * Normalizes a decimal number to sign, significant digits and exponent, so that 100, 1e2 and 100.0 give the same string. Any zero becomes
 * `0`.
 */
function normalizeDecimal(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? mantissa.slice(1) : mantissa).split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  // If the exponent does not fit into a double, the result differs from that of any double, so the number counts as changed.
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${negative ? '-' : ''}${significant}e${power}`;
}
