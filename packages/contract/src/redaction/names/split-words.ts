/**
 * Splits a name into lower-case words without accents: at `_`, `-`, `.`, brackets, spaces, digits and
 * camelCase. `userAPIKey2` becomes user, api, key. ASCII names, by far the most frequent, are split in one
 * pass without a regular expression.
 */
export function splitWords(name: string): string[] {
  const words: string[] = [];
  let start = -1;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code >= 128) return splitAnyScript(name);
    if (!isLetter(code)) {
      if (start >= 0) words.push(name.slice(start, at).toLowerCase());
      start = -1;
    } else if (start < 0) start = at;
    else if (beginsWord(name, at, code)) {
      words.push(name.slice(start, at).toLowerCase());
      start = at;
    }
  }
  if (start >= 0) words.push(name.slice(start).toLowerCase());
  return words;
}

/**
 * True for a capital after a character that is not a capital, and for the last of several capitals if a small letter follows: the `K` in
 * `APIKey` and in `APIKeys`.
 */
function beginsWord(name: string, at: number, code: number): boolean {
  if (!isCapital(code)) return false;
  const before = name.charCodeAt(at - 1);
  if (!isCapital(before)) return true;
  const after = name.charCodeAt(at + 1);
  // `APIs` and `IDs` are each one plural word.
  return isSmall(after) && !(after === SMALL_S && !isSmall(name.charCodeAt(at + 2)));
}

function splitAnyScript(name: string): string[] {
  // Created only on use, because compiling a regular expression with Unicode classes takes milliseconds and would delay a service's start.
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{Lm}\p{M}]+|\p{Lu}/gu) ?? [];
  return words.map((word) => foldAccents(word.toLowerCase()));
}

/**
 * Removes accents: `contraseña` becomes `contrasena`, `hasło` becomes `haslo`. Letters of other scripts are
 * unchanged.
 */
export function foldAccents(text: string): string {
  if (isAscii(text)) return text;
  const folded = text.normalize('NFKD').replace(MARKS, '').normalize('NFC');
  return folded.replace(OTHER, (letter) => OTHER_LETTERS.get(letter) ?? letter);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 128) return false;
  return true;
}

/**
 * Matches combining marks only after Latin and Greek letters. In Japanese, Korean and Cyrillic, marks distinguish letters and must stay.
 */
const MARKS = /(?<=[a-zα-ω])[\u0300-\u036f]+/g;
const OTHER_LETTERS = new Map([
  ['ł', 'l'],
  ['ß', 'ss'],
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['đ', 'd'],
  ['ı', 'i'],
  ['ς', 'σ'],
]);
const OTHER = /[łßøæœđıς]/g;

const SMALL_S = 0x73;

function isLetter(code: number): boolean {
  return isCapital(code) || isSmall(code);
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function isSmall(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}
