import { INGEST_LIMITS } from '@throughline/contract';
import { JsonTooLarge } from '../../platform/json-bounds/json-bounds.ts';

/**
 * JSON numbers that JavaScript's double would change: 12345678901234567890, 1e400, -0. They are rare, so a scan of the text decides
 * whether a slower reading is needed at all.
 */

/**
 * Numbers that may not survive: 16 characters and more, an exponent, a negative zero. What stands before tells a number from the inside
 * of most strings; what is a string all the same only costs the check below.
 */
const SUSPECTS = /[:,[\s](-?(?:[\d.]{16,}(?:[eE][+-]?\d+)?|[\d.]+[eE][+-]?\d+)|-0(?:\.0*)?)(?=[,\]}\s])/g;

const MAX_DIGITS = INGEST_LIMITS.digits.max;

/** ES2026; the engine has it, TypeScript's libraries do not yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

/** Whether a double holds every number of this JSON text. What looks like a number that is too long may be part of a text: it is not held. */
export function holdsAll(text: string): boolean {
  for (const [, number = ''] of text.matchAll(SUSPECTS)) {
    if (number.length > MAX_DIGITS || !survives(number, Number(number))) return false;
  }
  return true;
}

/** Parses JSON so that writing it again gives numbers of the same value, in the quicker way where that does. */
export function readExactly(text: string): unknown {
  return holdsAll(text) ? JSON.parse(text) : readKeepingNumbers(text);
}

/**
 * Parses JSON so that writing it again gives each number's digits back.
 * @throws JsonTooLarge where a number has more characters than it may
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

/** Sign, significant digits and exponent of a decimal number: equal for 100, 1e2 and 100.0. */
function canonical(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? mantissa.slice(1) : mantissa).split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  // An exponent that is too long for a double is none that a double is written with, and stays different.
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${negative ? '-' : ''}${significant}e${power}`;
}
