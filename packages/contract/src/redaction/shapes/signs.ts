import { beginnings, indexOfBeginning, prepareNouns } from '../names/nouns.ts';
import { BACKSLASH } from '../texts/characters.ts';
import { ENCODED_JSON, readShapes } from './shape-table.ts';

/**
 * Signs are bits that show whether `redactText` could remove anything from a text. They are collected in one pass over the text's
 * characters: one bit per letter, and bits for some other characters. Most texts then need no second pass. Code that reads every character
 * anyway, such as the JSON writer, collects the signs meanwhile.
 */

const LETTERS = 26;
/** Sign of characters that separate a name from its value in a sentence, a list, an element or a path. */
const BREAK_SIGN: number = 1 << LETTERS;
/** A sign of URLs, parameters, headers, JSON members, encoded strings, hashes and passwords. */
const TELLING_SIGN: number = 1 << 27;
export const DIGIT_SIGN: number = 1 << 28;
/** Sign of a non-ASCII letter. */
export const WIDE_SIGN: number = 1 << 29;
/** Not used by redaction; other code can use this bit. */
export const FREE_SIGN: number = 1 << 30;

/** The sign of each ASCII character. Upper-case and lower-case letters have the same sign. */
export const characterSigns: readonly number[] = Array.from({ length: 128 }, (_, code) => findSign(code));

function findSign(code: number): number {
  if (code >= 0x30 && code <= 0x39) return DIGIT_SIGN;
  const small = code | 0x20;
  if (code >= 0x41 && small >= 0x61 && small <= 0x7a) return 1 << (small - 0x61);
  const character = String.fromCharCode(code);
  if (':=%~$!*^'.includes(character)) return TELLING_SIGN;
  return ' \t\n\r"\'`<([/'.includes(character) ? BREAK_SIGN : 0;
}

/**
 * Combined signs of each prefix of a known key shape. If all signs of one prefix are also signs of a second prefix, the second prefix is
 * left out: the signs of the first prefix are also in every text with the second prefix.
 */
let shapeSigns: Int32Array | undefined;

function readShapeSigns(): Int32Array {
  const all = new Set([
    // Leaves out prefixes with a character such as a slash, because texts with this character are examined anyway.
    ...readShapes().flatMap(({ start }) => (/[^\w.-]/.test(start) ? [] : [collectSigns(start)])),
    ...ENCODED_JSON.map(collectSigns),
    collectSigns('BEGIN PRIVATE KEY'),
  ]);
  const least: number[] = [];
  for (const one of all) {
    let holdsOther = false;
    for (const other of all) holdsOther ||= other !== one && (other & one) === other;
    if (!holdsOther) least.push(one);
  }
  return Int32Array.from(least);
}

function collectSigns(word: string): number {
  let all = 0;
  for (let at = 0; at < word.length; at++) all |= characterSigns[word.charCodeAt(at)] ?? 0;
  return all & ~(BREAK_SIGN | TELLING_SIGN);
}

/**
 * Minimum number of digits in a text that can contain a card number, or an IBAN, which also has letters. A truncated text can end with the
 * beginning of a card number, which has fewer digits.
 */
const NUMBER_DIGITS = 12;
const CUT_CARD_DIGITS = 7;
/** Length of the shortest key of a known shape, including its prefix. */
const MIN_SHAPE = 13;
/** Minimum length of a name together with its value. */
const MIN_SENTENCE = 6;

/**
 * True if a text can contain a secret, according to the text's length, number of digits, and signs (or-ed over the characters). `cut` means
 * that the text's end was cut off.
 */
export function mayHoldSecret(signs: number, digits: number, cut: boolean, length: number): boolean {
  if ((signs & TELLING_SIGN) !== 0 || digits >= (cut ? CUT_CARD_DIGITS : NUMBER_DIGITS)) return true;
  if (length >= MIN_SENTENCE && (signs & (BREAK_SIGN | WIDE_SIGN)) !== 0) return true;
  return length >= MIN_SHAPE && mayHoldShape(signs);
}

function mayHoldShape(signs: number): boolean {
  shapeSigns ??= readShapeSigns();
  for (let index = 0; index < shapeSigns.length; index++) {
    const wanted = shapeSigns[index] ?? 0;
    if ((signs & wanted) === wanted) return true;
  }
  return false;
}

/**
 * Second check for a UTF-8 text for which {@link mayHoldSecret} returned true. Returns true if the text can contain a secret. Creates no
 * string. Examines the beginnings of words only if the other signs are not conclusive.
 */
export function mayBeginSecret(
  signs: number,
  digits: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  if ((signs & TELLING_SIGN) !== 0 || digits >= NUMBER_DIGITS) return true;
  return mayBeginName(signs, bytes, start, end);
}

/**
 * True if a word of a UTF-8 text can begin a secret's name or a key of a known shape. If the text has Unicode escapes, `signs` is 0, and
 * the result is true.
 */
export function mayBeginName(signs: number, bytes: Uint8Array, start: number, end: number): boolean {
  if (signs === 0 || (signs & WIDE_SIGN) !== 0) return true;
  prepareNouns();
  let before = 0;
  let spaces = 0;
  for (let at = start; at < end - 1; at++) {
    const byte = bytes[at] ?? 0;
    // The letter of an escape such as `\n` does not belong to the word after it.
    if (byte === BACKSLASH) {
      at++;
      before = 0;
      continue;
    }
    const kind = kinds[byte] ?? 0;
    if (byte === 0x20) spaces++;
    const begins = kind !== 0 && (before === 0 || (kind === CAPITAL && before === SMALL));
    before = kind;
    const third = at + 2 < end ? (bytes[at + 2] ?? 0) : 0;
    if (begins && beginnings[indexOfBeginning(byte, bytes[at + 1] ?? 0, third)] !== 0) return true;
  }
  return signs <= ONLY_SMALL_WORDS && spaces >= MIN_PHRASE_SPACES;
}

/**
 * Maximum of the combined signs of a text that has only ASCII letters, separators (`BREAK_SIGN`) and characters without a sign: their signs
 * are the lowest bits. The recovery phrase of a wallet is such a text.
 */
const ONLY_SMALL_WORDS = BREAK_SIGN * 2 - 1;
const MIN_PHRASE_SPACES = 11;

const SMALL = 1;
const CAPITAL = 2;
const DIGIT = 3;
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  const sign = byte < 128 ? findSign(byte) : 0;
  if (sign === DIGIT_SIGN) return DIGIT;
  if (sign <= 0 || sign >= BREAK_SIGN) return 0;
  return byte >= 0x61 ? SMALL : CAPITAL;
});

const MIN_NAME = 2;
const MAX_NAME = 64;

/** True if a text with these signs can be the name of a secret. */
export function mayBeName(signs: number, length: number): boolean {
  return length >= MIN_NAME && length <= MAX_NAME && (signs & TELLING_SIGN) === 0;
}

/** True if an item of a list with these signs can make another item of the list a secret: a name, or a key such as `user:7:token`. */
export function mayNameItem(signs: number, length: number): boolean {
  return mayBeName(signs, length) || ((signs & TELLING_SIGN) !== 0 && length <= MAX_STORED_NAME);
}

/** Maximum length of a key of Redis that is examined. */
const MAX_STORED_NAME = 204;

/** True if a text of this length can be a label with a secret's name. */
export function mayLabel(length: number): boolean {
  return length >= MIN_NAME && length <= MAX_NAME;
}
