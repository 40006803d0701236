import { MAX_JUDGED } from '../shapes/plausible.ts';
import {
  BACKSLASH,
  BACKTICK,
  CLOSE_LIST,
  CLOSE_OBJECT,
  DOUBLE_QUOTE,
  findRunEnd,
  findRunStart,
  isBackslash,
  isLineEnd,
  isQuote,
  OPEN_LIST,
  OPEN_OBJECT,
  REDACTED_MARK,
} from '../texts/characters.ts';

/** A quoted string in a text: where its content begins and ends. */
export interface QuotedString {
  readonly start: number;
  readonly end: number;
  /** Index after the closing quote; the end of the text if the string was cut off. */
  readonly after: number;
}

/** Maximum number of backslashes that are counted. Nested JSON never needs more. */
const MAX_ESCAPES = 64;

/** Counts the backslashes from `at`. */
export function countEscapes(text: string, at: number): number {
  return findRunEnd(text, at, isBackslash, at + MAX_ESCAPES) - at;
}

/**
 * Reads the string whose quote is at `quote`. At this nesting level, `escapes` backslashes precede each quote. A string that is cut off
 * extends to the end of the text, or to the end of the line if its quote can be an apostrophe.
 */
export function readString(text: string, quote: number, escapes: number): QuotedString {
  const sign = text.charAt(quote);
  const start = quote + 1;
  for (let next = text.indexOf(sign, start); next >= 0; next = text.indexOf(sign, next + 1)) {
    let backslashes = 0;
    while (next - backslashes > start && isBackslash(text.charCodeAt(next - backslashes - 1))) backslashes++;
    // The quote ends the enclosing string, so the inner string was cut off here.
    if (backslashes < escapes) return { start, end: next - backslashes, after: next - backslashes };
    // A quote within the string has at least 2 × `escapes` + 1 backslashes before it. A closing quote can follow escaped backslashes.
    if (backslashes % (2 * (escapes + 1)) !== escapes) continue;
    // In SQL, a doubled quote stands for a quote within the string.
    if (escapes === 0 && text.charAt(next + 1) === sign && next > start) next++;
    else return { start, end: next - escapes, after: next + 1 };
  }
  const end = sign === '"' ? text.length : findRunEnd(text, start, (code) => !isLineEnd(code));
  return { start, end, after: end };
}

/** Reads the string at `at`, whose quote follows `escapes` backslashes. Returns undefined if there is no string. */
export function readStringAt(text: string, at: number, escapes: number): QuotedString | undefined {
  const quote = at + escapes;
  if (!isQuote(text.charCodeAt(quote))) return undefined;
  for (let index = at; index < quote; index++) if (text.charCodeAt(index) !== BACKSLASH) return undefined;
  return readString(text, quote, escapes);
}

/**
 * Returns the index after the bracket that closes the bracket at `at`, or the end of the text if the closing bracket was cut off. Ignores
 * brackets within strings.
 */
export function readBrackets(text: string, at: number, escapes: number): number {
  let depth = 0;
  let index = at;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth--;
      if (depth === 0) return index + 1;
    } else if (code === DOUBLE_QUOTE || code === BACKTICK) {
      index = Math.max(index + 1, readString(text, index, escapes).after);
      continue;
    }
    index++;
  }
  return text.length;
}

/** Finds the start of the token that ends at `end`. */
export function startOfToken(text: string, end: number): number {
  return findRunStart(
    text,
    end,
    (code) => code > 0x20 && !isQuote(code) && code !== REDACTED_MARK && code !== 0xa0,
    MAX_JUDGED,
  );
}
