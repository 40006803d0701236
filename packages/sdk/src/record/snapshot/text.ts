import { CUT_MARGIN, type Redactor } from '@throughline/contract/redaction';
import { bufferFrom, bufferToString, charCodeAt, sliceString } from '../writer/primordials.ts';

/**
 * Returns an upper bound of the bytes of `text` between JSON quotes: control characters count 6 bytes, even those that JSON writes as 2.
 */
export function countJsonBytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = charCodeAt(text, index);
    if (unit < 0x80) bytes += unit < 0x20 ? 6 : unit === 0x22 || unit === 0x5c ? 2 : 1;
    else if (unit < 0x800) bytes += 2;
    // A lone surrogate is written as an escape of six characters. Each half of a pair counts six bytes, too, because distinguishing pairs
    // from lone surrogates takes too long.
    else bytes += unit >= 0xd800 && unit <= 0xdfff ? 6 : 3;
  }
  return bytes;
}

/**
 * If a string continues for more than this number of characters after an excerpt, the excerpt is copied, because a slice would retain the
 * whole string in memory.
 */
const HOLDS_TOO_MUCH = 1024;

/** Returns the first `length` UTF-16 code units of `text`, without splitting a surrogate pair. */
export function takeFirstUnits(text: string, length: number): string {
  let end = length;
  if (end > 0) {
    const last = charCodeAt(text, end - 1);
    if (last >= 0xd800 && last <= 0xdbff) end--;
  }
  const part = sliceString(text, 0, end);
  // A slice in V8 references the string that it comes from.
  return text.length - end > HOLDS_TOO_MUCH ? bufferToString(bufferFrom(part, 'utf16le'), 'utf16le') : part;
}

/**
 * Returns the first `length` UTF-16 code units of a text that is longer than `length`. If redaction is on, redacts the text before it is
 * cut, because a secret that was cut in two is no longer recognized. Returns a shorter text unchanged.
 */
export type Shorten = (text: string, length: number) => string;

/** Returns a {@link Shorten} with the rules of `redactor`. Adds the secrets that it hides to `found`. */
export function createShorten(redactor: Redactor, found?: Set<string>): Shorten {
  return (text, length) =>
    text.length <= length
      ? text
      : redactor.beginning(takeFirstUnits(text, length + CUT_MARGIN), length, found);
}

/**
 * Shortens a string that belongs to another value (a message, a pattern) to `length` code units. Appends the string's full length in words.
 */
export function shortenText(text: string, length: number, shorten: Shorten): string {
  return text.length <= length ? text : `${shorten(text, length)}… (${text.length} characters)`;
}

/** Shortens a name (class, function, symbol) to at most 66 bytes of JSON, so that markers with a name have a known maximum size. */
export function label(name: string, shorten: Shorten = takeFirstUnits): string {
  if (name.length <= 64 && countJsonBytes(name) <= 66) return name;
  const part = shorten(name, Math.min(name.length, 60));
  return `${countJsonBytes(part) <= 63 ? part : takeFirstUnits(part, 10)}…`;
}
