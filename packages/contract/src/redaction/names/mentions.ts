import { LINK_TOKENS, PASSWORD_ENDS, PASSWORD_STEMS, SECRET_ALONE, SHORT_ENDS } from './name-table.ts';
import { isNounAlone, SECRET_TERMS } from './names.ts';
import { splitWords } from './split-words.ts';

/**
 * A quick check if a text contains the name of a secret, for texts that rarely do, such as the cells of a row. Words are compared by their
 * last five letters, which fit into a small integer, so that the check creates no string for most texts.
 */

const LETTER_BITS = 5;
const TWO_LETTERS = 2 ** 10 - 1;
const THREE_LETTERS = 2 ** 15 - 1;
const FOUR_LETTERS = 2 ** 20 - 1;
const FIVE_LETTERS = 2 ** 25 - 1;
/** Code of the word `v`, which does not change the meaning of the words around it: `passV2Wd`. */
const VERSION = 22;
const SMALL_S = 0x73;
const PERCENT = 0x25;

const SMALL = 1;
const CAPITAL = 2;
/** Kind of each byte: a small letter, a capital, or 0 for all other bytes. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x61 && byte <= 0x7a ? SMALL : byte >= 0x41 && byte <= 0x5a ? CAPITAL : 0,
);
/** Maximum number of letters that are compared. Any two words of a secret's name have fewer letters. */
const MAX_LETTERS = 128;

/** Codes of words that are the name of a secret without any other word. */
const words = new Set<number>();
/** Codes of short endings, such as `otp`. A longer word with such an ending names a secret: `stagingotp`. */
const endings = new Set<number>();
/** Codes of the final words of phrases, with the codes of the words before them. */
const phrases = new Map<number, Set<number>>();
/** Table of the last three letters of the words in `words`, `endings` and `phrases`. Most words of a text end with other letters. */
const lastLetters = new Uint8Array(THREE_LETTERS + 1);

/** Returns the codes of the final words of a project's own names, for {@link mayMention}. */
export function encodeLastWords(names: readonly string[]): ReadonlySet<number> {
  return new Set(names.map((name) => encodeWord(splitWords(name).at(-1) ?? '')));
}

/** Returns a code of the last five letters of a word, or of all letters of a shorter word. */
function encodeWord(word: string): number {
  let code = 0;
  for (let at = 0; at < word.length; at++) code = addLetter(code, word.charCodeAt(at));
  return code;
}

function addLetter(code: number, letter: number): number {
  return ((code << LETTER_BITS) | (letter & 31)) & FIVE_LETTERS;
}

/** Fills the tables. Called by the first check, not when the module is loaded, so that a service starts faster. */
function prepare(): void {
  for (const word of [...SECRET_TERMS.words, ...SECRET_ALONE, ...LINK_TOKENS, 'pat']) note(words, word);
  for (const stem of PASSWORD_STEMS) for (const end of PASSWORD_ENDS) note(words, stem + end);
  for (const end of [...SHORT_ENDS, 'pass']) note(endings, end);
  for (const phrase of [...SECRET_TERMS.phrases, 'websocket protocol']) {
    const [last = '', before = ''] = phrase.split(' ').reverse();
    for (const end of [last, `${last}s`]) {
      const known = phrases.get(encodeWord(end)) ?? new Set();
      phrases.set(encodeWord(end), known.add(encodeWord(before)));
    }
  }
  for (const codes of [words, endings, phrases])
    for (const code of codes.keys()) lastLetters[code & THREE_LETTERS] = 1;
}

function note(codes: Set<number>, word: string): void {
  codes.add(encodeWord(word)).add(encodeWord(`${word}s`));
}

/**
 * True if a word of an ASCII text can be the last word of a secret's name. `own` contains the final words of a project's own names. The
 * byte at `end`, after the text, must not be a letter.
 */
export function mayMention(bytes: Uint8Array, start: number, end: number, own: ReadonlySet<number>): boolean {
  if (words.size === 0) prepare();
  let word = 0;
  let before = 0;
  for (let at = start; at <= end; at++) {
    const byte = bytes[at] ?? 0;
    const kind = kinds[byte];
    if (word !== 0 && kind !== SMALL && (kind !== CAPITAL || beginsWord(bytes, at))) {
      if (own.has(word) || (mayEndName(word, before) && endsName(word, before, bytes, start, at)))
        return true;
      if (word !== VERSION) before = word;
      word = 0;
    }
    if (kind !== 0) word = addLetter(word, byte);
  }
  return false;
}

const scratch = new Uint8Array(128);

/** Like {@link mayMention}, for any text. Always true for long texts, and for texts with a non-ASCII or percent-encoded character. */
export function mayMentionText(text: string, own: ReadonlySet<number>): boolean {
  const { length } = text;
  if (length >= scratch.length) return true;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128 || code === PERCENT) return true;
    scratch[at] = code;
  }
  scratch[length] = 0;
  return mayMention(scratch, 0, length, own);
}

/** True if a capital after a letter begins a word. Splits like {@link splitWords}. */
function beginsWord(bytes: Uint8Array, at: number): boolean {
  if (kinds[bytes[at - 1] ?? 0] === SMALL) return true;
  const after = bytes[at + 1] ?? 0;
  return kinds[after] === SMALL && !(after === SMALL_S && kinds[bytes[at + 2] ?? 0] !== SMALL);
}

/** False if no name of a secret ends with the last three letters of the word, as for most words. */
function mayEndName(word: number, before: number): boolean {
  const joined = word > TWO_LETTERS ? word : joinWords(before, word);
  return lastLetters[word & THREE_LETTERS] === 1 || lastLetters[joined & THREE_LETTERS] === 1;
}

/** True if the text from `start` to `end` ends with a secret's name. `word` and `before` are the codes of its last two words. */
function endsName(word: number, before: number, bytes: Uint8Array, start: number, end: number): boolean {
  if (phrases.get(word)?.has(before) === true) return true;
  const mayBeWord =
    words.has(word) ||
    words.has(joinWords(before, word)) ||
    (word > FOUR_LETTERS && (endings.has(word & FOUR_LETTERS) || endings.has(word & THREE_LETTERS)));
  if (!mayBeWord) return false;
  const text = String.fromCharCode(...bytes.subarray(Math.max(start, end - MAX_LETTERS), end));
  const split = splitWords(text).filter((each) => each !== 'v');
  const last = split.at(-1) ?? '';
  // The last two words can be one word that was split at a capital: `PassWd`. Together, they can also be a plural: `PassWds`.
  const joined = (split.at(-2) ?? '') + last;
  return isNounAlone(last) || isNounAlone(joined) || isNounAlone(joined.replace(/s$/, ''));
}

/** Returns the code of two words written as one. */
function joinWords(before: number, word: number): number {
  const letters = Math.ceil((32 - Math.clz32(word)) / LETTER_BITS);
  return ((before << (letters * LETTER_BITS)) | word) & FIVE_LETTERS;
}
