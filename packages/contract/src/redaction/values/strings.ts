import {
  BACKSLASH,
  BACKTICK,
  CLOSE_LIST,
  CLOSE_OBJECT,
  DOUBLE_QUOTE,
  findRunEnd,
  isBackslash,
  isLineEnd,
  isQuote,
  OPEN_LIST,
  OPEN_OBJECT,
} from '../texts/characters.ts';

/** A quoted string in a text: its quote, how many backslashes escape it, and where its contents begin and end. */
export interface QuotedString {
  readonly start: number;
  readonly end: number;
  /** Behind its closing quote; the end of the text where that was cut off. */
  readonly after: number;
}

/** More escapes than this no nested JSON has. */
const MAX_ESCAPES = 64;

/** Counts the backslashes from `at` on. */
export function countEscapes(text: string, at: number): number {
  return findRunEnd(text, at, isBackslash, at + MAX_ESCAPES) - at;
}

/**
 * The string whose quote stands at `quote`, where `escapes` backslashes escape the quotes of this level. One that is cut off ends with the text, or with
 * its line if its quote may be an apostrophe.
 */
export function readString(text: string, quote: number, escapes: number): QuotedString {
  const sign = text.charAt(quote);
  const start = quote + 1;
  for (let next = text.indexOf(sign, start); next >= 0; next = text.indexOf(sign, next + 1)) {
    let backslashes = 0;
    while (next - backslashes > start && isBackslash(text.charCodeAt(next - backslashes - 1))) backslashes++;
    // The text around this one ended first.
    if (backslashes < escapes) return { start, end: next - backslashes, after: next - backslashes };
    // An escaped quote within the string has at least twice as many and one; a closing one may follow escaped backslashes.
    if (backslashes % (2 * (escapes + 1)) !== escapes) continue;
    // SQL writes a quote within a string twice.
    if (escapes === 0 && text.charAt(next + 1) === sign && next > start) next++;
    else return { start, end: next - escapes, after: next + 1 };
  }
  const end = sign === '"' ? text.length : findRunEnd(text, start, (code) => !isLineEnd(code));
  return { start, end, after: end };
}

/** The string that begins at `at`, perhaps behind backslashes that escape its quote; undefined where none does. */
export function readStringAt(text: string, at: number, escapes: number): QuotedString | undefined {
  const quote = at + escapes;
  if (!isQuote(text.charCodeAt(quote))) return undefined;
  for (let index = at; index < quote; index++) if (text.charCodeAt(index) !== BACKSLASH) return undefined;
  return readString(text, quote, escapes);
}

/** Behind the bracket that closes the one at `at`; the end of the text where that was cut off. Brackets within strings do not count. */
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
