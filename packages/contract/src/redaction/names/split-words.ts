/**
 * Splits names into words, in lower case and without accents: at `_`, `-`, `.`, brackets, blanks, digits and camelCase. `userAPIKey2` is user, api, key.
 * Names in ASCII, which nearly all are, take one pass without a pattern.
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

/** A capital after a small letter, or the last one of several before a small letter: `APIKey` is api and key, `APIKeys` too. */
function beginsWord(name: string, at: number, code: number): boolean {
  if (!isCapital(code)) return false;
  const before = name.charCodeAt(at - 1);
  if (!isCapital(before)) return true;
  const after = name.charCodeAt(at + 1);
  // `APIs` and `IDs` are one word in the plural.
  return isSmall(after) && !(after === SMALL_S && !isSmall(name.charCodeAt(at + 2)));
}

function splitAnyScript(name: string): string[] {
  // Made here, since a pattern with classes of Unicode takes milliseconds, which a service that starts need not spend.
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{Lm}\p{M}]+|\p{Lu}/gu) ?? [];
  return words.map((word) => foldAccents(word.toLowerCase()));
}

/** `contraseña` as `contrasena`, `hasło` as `haslo`; letters of other scripts stay. */
export function foldAccents(text: string): string {
  if (isAscii(text)) return text;
  const folded = text.normalize('NFKD').replace(MARKS, '').normalize('NFC');
  return folded.replace(OTHER, (letter) => OTHER_LETTERS.get(letter) ?? letter);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 128) return false;
  return true;
}

/** Combining marks of Latin and Greek letters only: those of Japanese, Korean and Cyrillic tell letters apart. */
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
