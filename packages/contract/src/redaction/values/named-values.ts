import type { FoundName } from '../names/find-name.ts';
import { NAMING_NAMES, VALUE_NAMES } from '../names/name-table.ts';
import type { NameRole } from '../names/names.ts';
import { isPlaceholder } from '../shapes/plausible.ts';
import { DOUBLE_QUOTE, findRunEnd, GREATER, isBlank, isLineEnd, isQuote, LESS } from '../texts/characters.ts';
import type { Part, TextScan } from '../texts/scan.ts';
import { countEscapes, readString, readStringAt } from './strings.ts';

const NAMING = new Set(NAMING_NAMES);
const VALUES = new Set(VALUE_NAMES);

const MAX_NAME = 64;
/** Maximum length of a value that is examined before its name. */
const MAX_VALUE_BEFORE = 512;
const MAX_BESIDE = 4;
const MAX_ASIDE = 64;

/**
 * Finds the value that belongs to a secret's name in a sibling member; `role` is the role of the member that
 * begins at `start`.
 */
export function findNamedValue(
  scan: TextScan,
  member: FoundName,
  start: number,
  role: NameRole,
): Part | undefined {
  const { text } = scan;
  const escapes = member.quoted ? member.escapes : countEscapes(text, start);
  if (role === 'naming') {
    const name = readShort(text, start, escapes, MAX_NAME);
    if (name === undefined || isPlain(scan, name.start, name.end)) return undefined;
    return (
      findBeside(text, name.after, VALUES) ?? findInElement(text, name.after) ?? findInForm(text, name.after)
    );
  }
  const value = readShort(text, start, escapes, MAX_VALUE_BEFORE);
  if (value === undefined || isPlaceholder(text.slice(value.start, value.end))) return undefined;
  const name = findBeside(text, value.after, NAMING);
  return name === undefined || isPlain(scan, name.start, name.end)
    ? undefined
    : { start: value.start, end: value.end };
}

function isPlain({ text, names }: TextScan, start: number, end: number): boolean {
  return end <= start || names.judge(text.slice(start, end)) === 'plain';
}

/** Reads a string of at most `most` characters. */
function readShort(text: string, start: number, escapes: number, most: number) {
  const near = text.slice(start, start + escapes + most + 2);
  const string = readStringAt(near, 0, escapes);
  // A string without an end is longer than `most`, or was cut off.
  if (string === undefined || string.after === string.end) return undefined;
  return { start: start + string.start, end: start + string.end, after: start + string.after };
}

const MEMBER = /^[\s,;]*\\*["']?([\w.-]{1,32})\\*["']?\s{0,4}(?::|=>?)\s{0,8}/;

/** Finds the value of the first following member whose name is in `wanted`. */
function findBeside(text: string, from: number, wanted: ReadonlySet<string>): Part | undefined {
  let at = from;
  for (let count = 0; count < MAX_BESIDE; count++) {
    const member = MEMBER.exec(text.slice(at, at + 96));
    if (member === null) return undefined;
    at += member[0].length;
    const escapes = countEscapes(text, at);
    if (isQuote(text.charCodeAt(at + escapes))) {
      if (wanted.has((member[1] ?? '').toLowerCase())) {
        const { start, end } = readString(text, at + escapes, escapes);
        return toPart(text, start, end);
      }
      const aside = readShort(text, at, escapes, MAX_ASIDE);
      if (aside === undefined) return undefined;
      at = aside.after;
    } else {
      const end = findRunEnd(text, at, isBare, at + MAX_ASIDE);
      if (end === at) return undefined;
      if (wanted.has((member[1] ?? '').toLowerCase())) return toPart(text, at, end);
      at = end;
    }
  }
  return undefined;
}

function toPart(text: string, start: number, end: number): Part | undefined {
  return end > start && !isPlaceholder(text.slice(start, Math.min(end, start + 200)))
    ? { start, end }
    : undefined;
}

function isBare(code: number): boolean {
  return (
    code > 0x20 &&
    code !== 0x2c &&
    code !== 0x3b &&
    code !== LESS &&
    code !== GREATER &&
    !isQuote(code) &&
    code !== 0x7d &&
    code !== 0x5d
  );
}

/** Finds the value in `<entry key="password">X</entry>`. */
function findInElement(text: string, from: number): Part | undefined {
  const tagEnd = findRunEnd(
    text,
    from,
    (code) => code !== GREATER && code !== LESS && !isLineEnd(code),
    from + MAX_ASIDE,
  );
  if (text.charCodeAt(tagEnd) !== GREATER || text.charAt(tagEnd - 1) === '/') return undefined;
  return findElementText(text, tagEnd + 1);
}

/**
 * Finds the text of an element whose start tag ends before `start`; undefined if it has no text or contains
 * other elements.
 */
export function findElementText(text: string, start: number): Part | undefined {
  if (text.startsWith('<![CDATA[', start)) {
    const last = text.indexOf(']]>', start);
    return { start: start + 9, end: last < 0 ? text.length : last };
  }
  const next = text.indexOf('<', start);
  if (next >= 0) {
    const inner = findRunEnd(text, start, (code) => isBlank(code) || isLineEnd(code), next);
    return inner < next && text.startsWith('</', next) ? toPart(text, inner, next) : undefined;
  }
  const end = findRunEnd(text, start, (code) => code > 0x20 && code !== DOUBLE_QUOTE);
  return end === text.length ? toPart(text, start, end) : undefined;
}

/**
 * Matches the rest of a multipart form's headers after the part's name, which ends at `from`, up to the empty
 * line. The value follows, up to the next boundary.
 */
const FORM_HEADERS =
  /^[^\r\n\\]{0,80}(?:(?:\r\n|\n|\\r\\n|\\n)[\w-]{1,32}: ?[^\r\n\\]{0,80}){0,3}(?:\r\n\r\n|\n\n|\\r\\n\\r\\n|\\n\\n)/;
const BOUNDARY = /\r?\n--|(?:\\r)?\\n--/g;
/** A longer value is a file's content. */
const MAX_FORM_VALUE = 16_384;

function findInForm(text: string, from: number): Part | undefined {
  const headers = FORM_HEADERS.exec(text.slice(from, from + 400))?.[0];
  if (headers === undefined) return undefined;
  const start = from + headers.length;
  BOUNDARY.lastIndex = 0;
  const boundary = BOUNDARY.exec(text.slice(start, start + MAX_FORM_VALUE));
  return toPart(
    text,
    start,
    boundary === null ? Math.min(text.length, start + MAX_FORM_VALUE) : start + boundary.index,
  );
}
