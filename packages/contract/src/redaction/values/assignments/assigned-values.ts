import type { FoundName } from '../../names/find-name.ts';
import { isCounted, isHolder, type NameVerdict } from '../../names/verdicts.ts';
import {
  isFilePath,
  isLongId,
  isPermission,
  isPlaceholder,
  isPlainWord,
  isStateWord,
  looksOrdinary,
  looksSecret,
  MAX_JUDGED,
  mayBeSecret,
} from '../../shapes/plausible.ts';
import { isCookieHeader, isHeaderName, SCHEMES, startOfFolded } from '../../syntax/headers.ts';
import { endOfGroups } from '../../syntax/prose/sentence-values.ts';
import { findWords } from '../../syntax/prose/word-values.ts';
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  CLOSE_PARENTHESIS,
  COLON,
  COMMA,
  DASH,
  findRunEnd,
  findRunStart,
  isBlank,
  isDigit,
  isLineEnd,
  isQuote,
  isUnspaced,
  isWideQuote,
  LESS,
  OPEN_LIST,
  OPEN_OBJECT,
  OPEN_PARENTHESIS,
  REDACTED_MARK,
  SEMICOLON,
} from '../../texts/characters.ts';
import type { Part, TextScan } from '../../texts/scan.ts';
import { beginsMember, isSecretItselfText } from '../held.ts';
import { isMessage } from '../naming.ts';
import { countEscapes, readBrackets, readString, readStringAt } from '../strings.ts';
import { isSchemaText } from '../structure.ts';
import { findFallback, findInAngles, isListedWord, startOfArgument, toPart } from './code-values.ts';
import { findFirstItem, isPlural, noteList } from './listed-values.ts';
import { findRestOfSetting } from './setting-lines.ts';

/** A value that follows a secret's name. */
export interface Assigned {
  readonly start: number;
  readonly name: FoundName;
  readonly verdict: Exclude<NameVerdict, 'plain'>;
  readonly sign: ':' | '=';
  /** True if the sign between the name and the value is part of a comparison, such as `==` or `!=`. */
  readonly compares: boolean;
}

/** Finds the part of the value to hide. Returns undefined if there is no value or the value is a placeholder. */
export function findValue(scan: TextScan, value: Assigned): Part | undefined {
  const { text } = scan;
  const { start, name } = value;
  const code = text.charCodeAt(start);
  const escapes = name.quoted ? name.escapes : countEscapes(text, start);
  const string = readStringAt(text, start, escapes);
  // The quote closes the string that contains the name, so no value follows: `prompt("Password: ")`.
  if (string !== undefined)
    return isClosingQuote(text, value) ? undefined : toPart(text, string.start, string.end);
  if (isWideQuote(code)) return findInWideQuotes(text, start);
  if (code === OPEN_LIST || code === OPEN_OBJECT) return findBracketed(text, value, escapes);
  if (name.quoted && (isDigit(code) || code === DASH)) return findNumber(text, value);
  if (code === OPEN_PARENTHESIS) return findInParentheses(text, start);
  if (code === LESS) return findInAngles(text, start, text.slice(name.start, name.end));
  const argument = startOfArgument(text, start);
  if (argument !== undefined) {
    const given = readString(text, argument, 0);
    return toPart(text, given.start, given.end);
  }
  if (value.sign === '=') return findAfterEquals(text, value);
  const part = findAfterColon(text, value);
  if (part !== undefined && isPlural(text, name)) noteList(scan, part);
  return part;
}

const MAX_IN_WIDE_QUOTES = 256;

/** Finds the value in `« X »`, `„X“` or `「X」`. Without a closing quotation mark, the value extends to the end of the line. */
export function findInWideQuotes(text: string, at: number): Part | undefined {
  const start = findRunEnd(text, at + 1, isBlank, at + 4);
  const limit = at + MAX_IN_WIDE_QUOTES;
  let end = findRunEnd(
    text,
    start,
    (code) => !isWideQuote(code) && !isLineEnd(code) && code !== REDACTED_MARK,
    limit,
  );
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return toPart(text, start, end);
}

function isClosingQuote(text: string, { start, name }: Assigned): boolean {
  const before = text.charCodeAt(name.start - 1);
  return !name.quoted && isQuote(before) && before === text.charCodeAt(start);
}

/** Finds the content of a list or an object. */
function findBracketed(text: string, { start, name, verdict }: Assigned, escapes: number): Part | undefined {
  if (verdict === 'container' || verdict === 'session') return undefined;
  const first = text.charCodeAt(
    findRunEnd(text, start + 1, (code) => isBlank(code) || isLineEnd(code), start + 64) + escapes,
  );
  // In a sentence, `[hidden]` and `{token}` are placeholders. In a connection string, `{X}` is a value.
  if (!name.quoted && !isQuote(first) && !isDigit(first) && !(isHolder(verdict) && beginsMember(text, start)))
    return findInBraces(text, start);
  const after = readBrackets(text, start, escapes);
  const closed = after > start + 1 && isBracketEnd(text.charCodeAt(after - 1));
  if (isHolder(verdict) && after - start <= MAX_HOLDER) {
    const inner = text.slice(start, after);
    if (!mayBeSecret(inner.replace(/[\\"'{}[\]]+/g, ' ')) && !isSecretItselfText(inner, escapes, verdict))
      return undefined;
  }
  if (closed && name.quoted && isSchemaText(text, start, after, escapes)) return undefined;
  return toPart(text, start + 1, closed ? after - 1 : after);
}

/**
 * Below a name such as `token`, a list or an object up to this length is hidden only if it can contain a secret. A longer one is always
 * hidden. The limit bounds the work, because lists and objects inside such a list or object are checked again.
 */
const MAX_HOLDER = 512;
const IN_BRACES = /^[{[]([^{}[\]\s]{3,128})[\]}]/;

function findInBraces(text: string, start: number): Part | undefined {
  const inner = IN_BRACES.exec(text.slice(start, start + MAX_JUDGED + 2))?.[1];
  if (inner === undefined || isCode(inner)) return undefined;
  if (!looksSecret(inner) && !isLongId(inner) && !isListedWord(text, start, inner)) return undefined;
  return { start: start + 1, end: start + 1 + inner.length };
}

/** The next member of a struct as Go prints it: `{User:ada Password:X Host:db}`. */
const NEXT_MEMBER = /^ [A-Za-z]\w{0,31}:\S/;

function isBracketEnd(code: number): boolean {
  return code === CLOSE_LIST || code === CLOSE_OBJECT;
}

function findNumber(text: string, { start, verdict }: Assigned): Part | undefined {
  const end = findRunEnd(text, start, isNumberCode);
  return isCounted(verdict) && COUNT.test(text.slice(start, Math.min(end, start + 9)))
    ? undefined
    : { start, end };
}

function isNumberCode(code: number): boolean {
  return isDigit(code) || code === DASH || code === 0x2e || code === 0x2b || code === 0x65 || code === 0x45;
}

const MAX_IN_PARENTHESES = 256;

/** Finds the value in PostgreSQL's `Key (token)=(abc)`. */
function findInParentheses(text: string, start: number): Part | undefined {
  const length = text.slice(start, start + MAX_IN_PARENTHESES).indexOf(')');
  return length > 1 ? toPart(text, start + 1, start + length) : undefined;
}

function findAfterEquals(text: string, value: Assigned): Part | undefined {
  const { start, name } = value;
  const before = text.charAt(name.start - 1);
  const isParameter =
    (name.start === 0 && !isBlank(text.charCodeAt(start - 1))) ||
    '?&;#'.includes(before || ' ') ||
    isQuote(text.charCodeAt(name.start - 1));
  const inUrl = before !== '' && '?&#'.includes(before);
  const fallback = findFallback(text, start);
  if (fallback !== undefined) return fallback;
  const token = readToken(text, start, '=', inUrl);
  if (token === '' || isPlaceholder(token) || isFilePath(token) || (!isParameter && isCode(token)))
    return undefined;
  if (isCounted(value.verdict) && COUNT.test(token)) return undefined;
  // The value is the number of a field in a Protocol Buffers definition: `string password = 2;`.
  if (value.verdict !== 'own' && /^ \d{1,2};/.test(text.slice(start - 1, start + 3))) return undefined;
  if (value.compares && IDENTIFIER.test(token)) return undefined;
  const end = endOfToken(text, start, '=', inUrl);
  const line = findRestOfSetting(text, name.start, end);
  if (line !== undefined) return { start, end: line };
  if (before === ';' || isConnectionString(text, end)) return { start, end: endOfSetting(text, end) };
  return findCredentials(text, value, start, end) ?? { start, end };
}

const COUNT = /^\d{1,7}$/;
const IDENTIFIER = /^[A-Za-z_$][\w$.]*[);\]}]*$/;

/**
 * True for code in an assignment instead of a value: a property access, a function call, or a keyword such as `await`: `password =
 * req.body.password`.
 */
function isCode(token: string): boolean {
  return /^(?:[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][A-Za-z_$]*)+[;,)]*|[\w$.]+\(.*|[A-Za-z_$][\w$]*\.[\w$.]*\[|await|new|function|async|typeof|require)$/.test(
    token,
  );
}

/** True for settings separated by semicolons. Their values can contain spaces: `Server=db;Password=x y;Timeout=5`. */
function isConnectionString(text: string, end: number): boolean {
  return (
    isBlank(text.charCodeAt(end)) &&
    /^[^;=\n"'&]{0,64};(?:\s*$|\s*[\w ]{1,32}=)/.test(text.slice(end, end + 104))
  );
}

function endOfSetting(text: string, start: number): number {
  return findRunEnd(
    text,
    start,
    (code) => code !== SEMICOLON && !isQuote(code) && !isLineEnd(code) && code !== REDACTED_MARK,
  );
}

function findAfterColon(text: string, value: Assigned): Part | undefined {
  const { start, name, verdict } = value;
  if (isHeaderName(text.slice(name.start, name.end)) && beginsLine(text, name.start))
    return findRestOfLine(text, startOfFolded(text, start), name);
  if (isPlural(text, name)) {
    const item = findFirstItem(text, start);
    if (item !== undefined) return item;
  }
  const block = BLOCK.exec(text.slice(start, start + MAX_BLOCK))?.[0];
  if (block !== undefined && beginsLine(text, findRunStart(text, name.start, isIndent, 32)))
    return findAfterColon(text, { ...value, start: start + block.length });
  const fallback = findFallback(text, start);
  if (fallback !== undefined) return fallback;
  const token = readToken(text, start, ':', false);
  if (token.length < 3 || isPlaceholder(token) || token.includes('://')) return undefined;
  const stated = STATED.exec(text.slice(start, start + 24))?.[0];
  if (stated !== undefined) {
    const given = readString(text, start + stated.length, 0);
    return toPart(text, given.start, given.end);
  }
  if (isPermission(token) && text.charAt(start - 1) === ':') return undefined;
  const end = token.length <= MAX_JUDGED ? start + token.length : endOfToken(text, start, ':', false);
  // The token is another name, which a quoted value follows: `auth[22]: pwd='X'`.
  if (/^[A-Za-z][\w.-]*=$/.test(token) && isQuote(text.charCodeAt(end))) return undefined;
  const credentials = findCredentials(text, value, start, end);
  if (credentials !== undefined) return credentials;
  const isMember = text.charCodeAt(start - 1) === COLON && NEXT_MEMBER.test(text.slice(end, end + 36));
  if (isPlainWord(token) && isMember && !isStateWord(token)) return { start, end };
  if (isPlainWord(token)) return findWords(text, start, end, text.slice(name.start, name.end));
  // In GraphQL and other languages, a type can end with `!` or `?`: `String!`.
  const word = token.replace(/[!?]+$/, '');
  if (isPlainWord(word) && isStateWord(word)) return undefined;
  if (/^\d+$/.test(token))
    return isCounted(verdict) && COUNT.test(token)
      ? undefined
      : { start, end: endOfGroups(text, start, end) };
  return looksSecret(token) ||
    !looksOrdinary(token) ||
    (/^[\w-]+$/.test(token) && /\d/.test(token) && token.length > 5)
    ? { start, end }
    : undefined;
}

/** Matches the word before the value in messages such as `password: Value 'X' must contain a digit`. */
const STATED = /^(?:value|got|received|given|input|wert|valor|valeur)\s(?=["'`])/i;

/** In YAML, a value can be on the lines below its name. */
const BLOCK = /^(?:[|>][-+]?)?\r?\n[ \t]+(?:- )?["']?(?=[^\s:]+["']?\s*(?:\n|$))/;
const MAX_BLOCK = 160;

function isIndent(code: number): boolean {
  return isBlank(code) || code === DASH;
}

/** Finds the credentials after `Bearer` and similar words, or a complete cookie header within a sentence. */
function findCredentials(text: string, { name }: Assigned, start: number, end: number): Part | undefined {
  if (isCookieHeader(text.slice(name.start, name.end))) return { start, end: endOfCookies(text, end) };
  if (!SCHEMES.has(text.slice(start, end).toLowerCase()) || !isBlank(text.charCodeAt(end))) return undefined;
  const from = findRunEnd(text, end, isBlank, end + 8);
  const to = endOfToken(text, from, ':', false);
  // The word after the scheme describes a state and is not a credential: `auth: token refreshed for ada`.
  if (/^[a-z]{3,16}$/.test(text.slice(from, to)) && isStateWord(text.slice(from, to))) return undefined;
  return to - from > 2 ? toPart(text, from, to) : undefined;
}

/** Finds the end of consecutive cookies: `a=b; c=d`. */
function endOfCookies(text: string, end: number): number {
  let last = end;
  while (text.charCodeAt(last) === SEMICOLON) {
    const next = findRunEnd(text, last + 1, isBlank, last + 4);
    const to = endOfToken(text, next, '=', false);
    if (to <= next) break;
    last = to;
  }
  return last;
}

function beginsLine(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  return (
    start === 0 ||
    isLineEnd(before) ||
    isQuote(before) ||
    (before === 0x6e && text.charCodeAt(start - 2) === BACKSLASH)
  );
}

/** Finds the value of a header. It extends to the end of the line, or of the string that contains the header. */
function findRestOfLine(text: string, start: number, name: FoundName): Part | undefined {
  const quote = text.charCodeAt(name.start - 1);
  const inString = isQuote(quote);
  const end = findRunEnd(
    text,
    start,
    (code) =>
      !isLineEnd(code) && code !== REDACTED_MARK && !(inString && code === quote) && code !== BACKSLASH,
  );
  const value = text.slice(start, Math.min(end, start + MAX_JUDGED));
  return isMissing(value) || isMessage(value) ? undefined : toPart(text, start, end);
}

/** True if a header's value is only a placeholder: `null #3`, `Bearer <token>`. */
function isMissing(value: string): boolean {
  const [first = '', second] = value.trim().split(/\s+/, 2);
  return (
    isPlaceholder(first) ||
    (second !== undefined && SCHEMES.has(first.toLowerCase()) && isPlaceholder(second))
  );
}

const MAX_NAME_AHEAD = 48;
const NEXT_NAME = /^[\s"'\\]*[\w.$-]{1,32}[\s"'\\]{0,3}[:=]/;

/**
 * Reads the beginning of an unquoted value, which is long enough to classify the value. The rest of a long value is read only if the value
 * is hidden.
 */
function readToken(text: string, start: number, sign: ':' | '=', inUrl: boolean): string {
  return text.slice(start, endOfToken(text, start, sign, inUrl, start + MAX_JUDGED + 1));
}

/** Finds the end of an unquoted value that begins at `start`. The result is at most `limit`. */
export function endOfToken(
  text: string,
  start: number,
  sign: ':' | '=',
  inUrl: boolean,
  limit = text.length,
): number {
  const furthest = Math.min(limit, text.length);
  let end = start;
  let open = 0;
  for (; end < furthest; end++) {
    const code = text.charCodeAt(end);
    if (
      code <= 0x20 ||
      code === 0xa0 ||
      code === REDACTED_MARK ||
      code === 0x3c ||
      code === 0x3e ||
      isQuote(code) ||
      (code >= 128 && isWideQuote(code))
    )
      break;
    if (code >= 128 && isUnspaced(code)) break;
    if (code === BACKSLASH && 'nrt"\'u/'.includes(text.charAt(end + 1))) break;
    if (code === 0x26 && (sign === '=' || NEXT_NAME.test(text.slice(end + 1, end + MAX_NAME_AHEAD)))) break;
    if (code === 0x23 && inUrl) break;
    if (code === OPEN_OBJECT) open++;
    else if (code === CLOSE_OBJECT && open > 0) open--;
    else if (isSeparator(code) && endsValue(text, end)) break;
  }
  const last = end - 1;
  const trailing = text.charCodeAt(last);
  return last > start && (trailing === 0x2e || trailing === COMMA || trailing === 0x3a) ? last : end;
}

function isSeparator(code: number): boolean {
  return (
    code === SEMICOLON || code === COMMA || code === 0x7c || code === CLOSE_PARENTHESIS || isBracketEnd(code)
  );
}

/**
 * True if the separator at `at` ends the value: after it, the text ends, or a blank, a quote, another separator or another name follows.
 * Otherwise the separator is a part of the value.
 */
function endsValue(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  if (!(next > 0x20) || isQuote(next) || isSeparator(next) || next === LESS || next === 0x2e) return true;
  if (next === 0x3a && !(text.charCodeAt(at + 2) > 0x20)) return true;
  return NEXT_NAME.test(text.slice(at + 1, at + MAX_NAME_AHEAD));
}
