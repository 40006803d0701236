import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_PARENTHESIS,
  COLON,
  DASH,
  EQUALS,
  findRunStart,
  isBase64Url,
  isBlank,
  isLetter,
  isLetterOrDigit,
  isLineEnd,
  isQuote,
  isWideLetter,
  isWordCharacter,
  OPEN_PARENTHESIS,
  PERCENT,
  SPACE,
} from '../texts/characters.ts';
import type { TextScan } from '../texts/scan.ts';
import { endsInSecret, type JudgedName } from './names.ts';
import { NOUNS } from './nouns.ts';
import { foldAccents } from './split-words.ts';
import type { NameVerdict } from './verdicts.ts';

/** A name before a colon or an equals sign. */
export interface FoundName {
  readonly start: number;
  readonly end: number;
  /** True if the name is quoted; `escapes` is the number of backslashes before each quote. */
  readonly quoted: boolean;
  readonly escapes: number;
}

/**
 * Maximum length of a name. Of a longer unquoted name, only this number of characters at its end is examined. A longer quoted name is not
 * found.
 */
const MAX_NAME = 64;
const MAX_BLANKS = 8;
const MAX_ASIDE = 32;

/** ASCII characters that can be in unquoted names. Letters of other scripts are checked separately. */
const NAME_CODES = Uint8Array.from({ length: 128 }, (_, code) => {
  return isBase64Url(code) || '.[]%$@'.includes(String.fromCharCode(code)) ? 1 : 0;
});

const MAX_ENCODED_NAME = 128;

function isEncodedCode(code: number): boolean {
  return code === PERCENT || isLetterOrDigit(code);
}

function startOfName(text: string, end: number): number {
  const first = Math.max(0, end - MAX_NAME);
  let start = end;
  while (start > first) {
    const code = text.charCodeAt(start - 1);
    if (code < 128 ? NAME_CODES[code] === 0 : !isWideLetter(code)) break;
    start--;
  }
  // A percent-encoded letter such as %E4%B8%AD takes nine characters, so an encoded name may begin before `first`.
  if (start === first && /%[\dA-F]/i.test(text.slice(start, start + 4)))
    return findRunStart(text, start, isEncodedCode, MAX_ENCODED_NAME);
  return start;
}

/** Finds the name that ends before the colon or equals sign at `at`; undefined if there is none. */
export function findName(text: string, at: number): FoundName | undefined {
  const operator = findOperatorStart(text, at);
  let end = operator;
  while (end > 0 && operator - end < MAX_BLANKS && isBlank(text.charCodeAt(end - 1))) end--;
  if (isQuote(text.charCodeAt(end - 1))) return findQuotedName(text, end - 1);
  // In PHP and Ruby, the name can be a quoted key in brackets: `["password"] => "X"`, `params['password'] = 'X'`.
  if (text.charCodeAt(end - 1) === CLOSE_LIST && isQuote(text.charCodeAt(end - 2)))
    return findQuotedName(text, end - 2);
  if (text.charCodeAt(end - 1) === CLOSE_PARENTHESIS) {
    const aside = text.slice(Math.max(0, end - MAX_ASIDE), end).lastIndexOf('(');
    if (aside < 0) return undefined;
    const open = Math.max(0, end - MAX_ASIDE) + aside;
    // PostgreSQL writes column names in parentheses: `Key (token)=(abc)`.
    if (text.charCodeAt(at + 1) === OPEN_PARENTHESIS)
      return { start: open + 1, end: end - 1, quoted: false, escapes: 0 };
    end = findRunStart(text, open, isBlank, MAX_BLANKS);
    // Parentheses directly after a name contain a function's parameters, as in `readPassword(id): string`. A type follows the parentheses,
    // not a value.
    if (end === open) return undefined;
  }
  let start = startOfName(text, end);
  // In SQL, a cast can follow the name: `password::text = …`.
  if (text.charCodeAt(start - 1) === COLON && text.charCodeAt(start - 2) === COLON) {
    end = start - 2;
    start = startOfName(text, end);
  }
  return start === end ? undefined : { start, end, quoted: false, escapes: 0 };
}

/** Finds the start of a multi-character operator that ends at `at`: `:=`, `!=`, `===`, `<=`. */
function findOperatorStart(text: string, at: number): number {
  let start = at;
  while (at - start < 2 && isOperator(text.charCodeAt(start - 1)) && text.charCodeAt(at) === EQUALS) start--;
  return start;
}

function isOperator(code: number): boolean {
  return (
    code === EQUALS || code === COLON || code === 0x21 || code === 0x3c || code === 0x3e || code === 0x2b
  );
}

function findQuotedName(text: string, quote: number): FoundName | undefined {
  let end = quote;
  while (quote - end < MAX_NAME && text.charCodeAt(end - 1) === BACKSLASH) end--;
  const escapes = quote - end;
  const sign = text.charCodeAt(quote);
  const first = Math.max(1, end - MAX_NAME);
  let start = end;
  while (start >= first) {
    const code = text.charCodeAt(start - 1);
    if (code === sign) break;
    if (isQuote(code) || code === BACKSLASH || isLineEnd(code)) return undefined;
    start--;
  }
  if (start === end || start < first) return undefined;
  return { start, end, quoted: true, escapes };
}

/**
 * Decides if a name before a separator is a secret's name. An unquoted name can be the last word of several, such as `mot de passe`.
 * Therefore up to three words before it are checked together with the name.
 */
export function judgeName({ text }: TextScan, name: FoundName, { verdict }: JudgedName): NameVerdict {
  if (verdict !== 'plain' || name.quoted) return verdict;
  if (text.charCodeAt(name.start - 1) !== SPACE || !endsPhrase(text, name.start, name.end)) return 'plain';
  const start = startOfWords(text, name.start, 3);
  // A harmless name that ends like a secret's name, such as `maxTokens`, stays harmless if other words precede it.
  if (start === name.start || endsInSecret(text.slice(name.start, name.end))) return 'plain';
  return endsInSecret(text.slice(start, name.end)) ? 'secret' : 'plain';
}

/** True if the last word of a name can end a multi-word name of a secret. */
function endsPhrase(text: string, start: number, end: number): boolean {
  const word = text.slice(findRunStart(text, end, isPhraseLetter, end - start), end).toLowerCase();
  return NOUNS.get(foldAccents(word)) === 'end-of-phrase';
}

function isPhraseLetter(code: number): boolean {
  return isLetter(code) || isWideLetter(code);
}

/** True for a character of a word. A hyphen counts, since words such as `one-time` can begin a name: `one-time code`. */
function isJoined(code: number): boolean {
  return isWordCharacter(code) || code === DASH;
}

/**
 * Finds the start of the last `most` words before `at`. If there are fewer words, finds the start of the first one. Words are separated by
 * single spaces or apostrophes.
 */
export function startOfWords(text: string, at: number, most: number): number {
  let start = at;
  for (let count = 0; count < most; count++) {
    const before = text.charCodeAt(start - 1);
    if (before !== 0x20 && before !== 0x27 && before !== 0x2019) return start;
    const word = findRunStart(text, start - 1, isJoined, 24);
    if (word === start - 1) return start;
    start = word;
  }
  return start;
}
