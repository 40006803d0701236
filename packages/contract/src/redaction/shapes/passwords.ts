import { findRunEnd, findRunStart, isLetterOrDigit, isQuote } from '../texts/characters.ts';
import type { Part } from '../texts/scan.ts';

const MAX_LENGTH = 48;
/**
 * Matches a token of 10 to 48 characters with capitals, small letters, digits, and three letters in a row. {@link findPassword} tests only
 * tokens with a sign that is rare inside words, numbers and code.
 */
const PASSWORD = /^(?=\D*\d)(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=.*[A-Za-z]{3})[\w!*^#$@%&+?~.-]{10,48}$/;
const VERSION = /^v?\d+(?:\.\d+)+(?![A-Za-z])/i;
/** Matches a factor of a formula: a number, or a name of words with at most one digit each (`2`, `Foo2Bar`). */
const FACTOR = String.raw`(?:\d[\d.]*|[A-Za-z][a-z]+(?:\d?[A-Z][a-z]+)*\d?)`;
const PRODUCT = new RegExp(`^${FACTOR}\\*${FACTOR}$`);

/**
 * Finds a password by its characters alone: `48Krokodil*Casa`. The password's sign (`!`, `*` or `^`) is at `at`, after a letter or digit,
 * and before a letter, a digit or a quote.
 */
export function findPassword(text: string, at: number): Part | undefined {
  if (!isLetterOrDigit(text.charCodeAt(at - 1))) return undefined;
  const next = text.charCodeAt(at + 1);
  if (!isLetterOrDigit(next) && !isQuote(next)) return undefined;
  const start = findRunStart(text, at, isInPassword, MAX_LENGTH);
  const end = findRunEnd(text, at, isInPassword, at + MAX_LENGTH);
  if (isQuote(next) && text.charCodeAt(start - 1) !== next) return undefined;
  if (!isEdge(text.charCodeAt(start - 1)) || !isEdge(text.charCodeAt(end))) return undefined;
  const token = text.slice(start, end);
  return PASSWORD.test(token) && !VERSION.test(token) && !PRODUCT.test(token) ? { start, end } : undefined;
}

function isInPassword(code: number): boolean {
  return isLetterOrDigit(code) || (code < 128 && SIGNS.includes(String.fromCharCode(code)));
}

const SIGNS = '_!*^#$@%&+?~.-';

/** True for the end of the text, and for characters that separate values. */
function isEdge(code: number): boolean {
  return !(code > 0x20) || isQuote(code) || code === 0x2c || code === 0x3a || code === 0x3b;
}
