import { isPlaceholder, MAX_JUDGED } from '../../shapes/plausible.ts';
import {
  CLOSE_PARENTHESIS,
  COMMA,
  findRunEnd,
  isBlank,
  isLineEnd,
  isQuote,
  OPEN_PARENTHESIS,
} from '../../texts/characters.ts';
import type { Part, TextScan } from '../../texts/scan.ts';
import { readString } from '../../values/strings.ts';

const MAX_HEAD = 160;
const MAX_COLUMNS_LENGTH = 4096;
const MAX_TUPLES = 10_000;

const IDENTIFIED =
  /^\s{1,8}(?:with\s{1,8}["'`\w]{1,40}\s{1,8})?(?:by|as)\s{1,8}(?:password\s{1,8}|values\s{1,8})?/i;

/** Finds the password in `IDENTIFIED BY 'X'`; `at` is the end of the word `IDENTIFIED`. */
export function findIdentified({ text }: TextScan, at: number): Part | undefined {
  const head = IDENTIFIED.exec(text.slice(at, at + MAX_HEAD))?.[0];
  if (head === undefined) return undefined;
  return readValueAt(text, at + head.length);
}

const SET_PASSWORD = /^\s{1,8}for\s{1,8}[^\s=]{1,100}\s{0,8}=\s{0,8}(?:\w{1,24}\()?(?=['"])/i;

/** Finds the password in `SET PASSWORD FOR ada = 'X'`; the word from `start` to `end` is `password`. */
export function findSetPassword(text: string, start: number, end: number): Part | undefined {
  if (!/\bset\s{1,8}$/i.test(text.slice(Math.max(0, start - 12), start))) return undefined;
  const head = SET_PASSWORD.exec(text.slice(end, end + MAX_HEAD))?.[0];
  return head === undefined ? undefined : readValueAt(text, end + head.length);
}

const INSERT =
  /^(?:insert|replace)\s{1,8}(?:ignore\s{1,8}|low_priority\s{1,8})?into\s{1,8}[\w."`[\]$]{1,100}\s{0,8}\(/i;
const VALUES = /^\s{0,8}(?:overriding\s{1,8}\w{1,12}\s{1,8}value\s{1,8})?values?\s{0,8}/i;

/**
 * Finds the values of columns with a secret's name in an INSERT that begins at `at`. Returns the first value;
 * the others become pending.
 */
export function findInserted(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  const head = INSERT.exec(text.slice(at, at + MAX_HEAD))?.[0];
  if (head === undefined || (scan.pending?.length ?? 0) > 0) return undefined;
  const start = at + head.length;
  const end = text.slice(start, start + MAX_COLUMNS_LENGTH).indexOf(')');
  if (end < 0) return undefined;
  const secret = text
    .slice(start, start + end)
    .split(',')
    .map((column) => scan.names.judge(column) !== 'plain');
  const values = VALUES.exec(text.slice(start + end + 1, start + end + 1 + MAX_HEAD))?.[0];
  if (values === undefined || !secret.includes(true)) return undefined;
  const [first, ...others] = readTuples(text, start + end + 1 + values.length, secret);
  if (others.length > 0) scan.pending = others;
  return first;
}

function readTuples(text: string, from: number, secret: readonly boolean[]): Part[] {
  const parts: Part[] = [];
  let at = from;
  for (let count = 0; count < MAX_TUPLES && text.charCodeAt(at) === OPEN_PARENTHESIS; count++) {
    let column = 0;
    do {
      at = findRunEnd(text, at + 1, isSpace);
      if (secret[column] === true) {
        const part = readValueAt(text, at);
        if (part !== undefined) parts.push(part);
      }
      at = endOfValue(text, at);
      column++;
    } while (text.charCodeAt(at) === COMMA);
    if (text.charCodeAt(at) !== CLOSE_PARENTHESIS) return parts;
    at = findRunEnd(text, at + 1, isSpace);
    if (text.charCodeAt(at) !== COMMA) return parts;
    at = findRunEnd(text, at + 1, isSpace);
  }
  return parts;
}

function readValueAt(text: string, start: number): Part | undefined {
  const call = /^\w{1,24}\((?=['"])/.exec(text.slice(start, start + 26))?.[0] ?? '';
  const at = start + call.length;
  if (isQuote(text.charCodeAt(at))) {
    const { start: from, end } = readString(text, at, 0);
    return toPart(text, from, end);
  }
  return toPart(text, at, findRunEnd(text, at, isBare));
}

function toPart(text: string, start: number, end: number): Part | undefined {
  if (end <= start) return undefined;
  const value = text.slice(start, Math.min(end, start + MAX_JUDGED + 1));
  return isPlaceholder(value) || /^default$/i.test(value) ? undefined : { start, end };
}

/** Finds the end of a value in a row: the next comma or parenthesis outside strings and function calls. */
function endOfValue(text: string, start: number): number {
  let at = start;
  let depth = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isQuote(code)) at = Math.max(at + 1, readString(text, at, 0).after);
    else if (depth === 0 && (code === COMMA || code === CLOSE_PARENTHESIS)) return at;
    else {
      if (code === OPEN_PARENTHESIS) depth++;
      else if (code === CLOSE_PARENTHESIS) depth--;
      at++;
    }
  }
  return at;
}

function isSpace(code: number): boolean {
  return isBlank(code) || isLineEnd(code);
}

function isBare(code: number): boolean {
  return (
    code > 0x20 &&
    code !== COMMA &&
    code !== CLOSE_PARENTHESIS &&
    code !== OPEN_PARENTHESIS &&
    code !== 0x3b &&
    code !== 0x2039 &&
    !isQuote(code)
  );
}
