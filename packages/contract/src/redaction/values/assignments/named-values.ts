import type { FoundName } from '../../names/find-name.ts';
import type { NameRole } from '../../names/names.ts';
import { isPlaceholder, MAX_JUDGED } from '../../shapes/plausible.ts';
import {
  DOUBLE_QUOTE,
  findRunEnd,
  GREATER,
  isBlank,
  isLineEnd,
  isQuote,
  LESS,
} from '../../texts/characters.ts';
import type { Part, TextScan } from '../../texts/scan.ts';
import {
  findNamingRole,
  findValueRole,
  mayBeNamed,
  type NamingRole,
  readLabel,
  type ValueRole,
} from '../naming.ts';
import { countEscapes, readString, readStringAt } from '../strings.ts';

const MAX_NAME = 64;
/** Maximum length of a value that precedes its name. */
const MAX_VALUE_BEFORE = 512;
const MAX_BESIDE = 4;
const MAX_ASIDE = 64;

/**
 * Finds a secret value whose name is in a sibling member: `{name: 'password', value: 'X'}`. `role` is the role of `member`, whose value
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
  const key = text.slice(member.start, member.end);
  if (role === 'naming') {
    const naming = findNamingRole(key) ?? 'name';
    const name = readShort(text, start, escapes, MAX_NAME);
    if (name === undefined || isPlain(scan, name, naming)) return undefined;
    return (
      findBeside(text, name.after, 'value', (other, part) => {
        const found = findValueRole(other);
        return found !== undefined && mayHold(text, part, naming, found);
      }) ??
      findInElement(scan, name.after) ??
      findInForm(text, name.after)
    );
  }
  const holding = findValueRole(key) ?? 'value';
  const value = readShort(text, start, escapes, MAX_VALUE_BEFORE);
  if (value === undefined || isPlaceholder(text.slice(value.start, value.end))) return undefined;
  const name = findBeside(text, value.after, 'name', (other, part) => {
    const naming = findNamingRole(other);
    return naming !== undefined && !isPlain(scan, part, naming) && mayHold(text, value, naming, holding);
  });
  return name === undefined ? undefined : { start: value.start, end: value.end };
}

function mayHold(text: string, part: Part, naming: NamingRole, role: ValueRole): boolean {
  return part.end - part.start > MAX_JUDGED || mayBeNamed(text.slice(part.start, part.end), naming, role);
}

function isPlain({ text, names }: TextScan, { start, end }: Part, naming: NamingRole): boolean {
  if (end <= start || end - start > MAX_NAME) return true;
  const name = naming === 'name' ? text.slice(start, end) : readLabel(text.slice(start, end));
  return name === undefined || names.judge(name) === 'plain';
}

function readShort(text: string, start: number, escapes: number, most: number) {
  const near = text.slice(start, start + escapes + most + 2);
  const string = readStringAt(near, 0, escapes);
  // A string without an end is longer than `most`, or was cut off.
  if (string === undefined || string.after === string.end) return undefined;
  return { start: start + string.start, end: start + string.end, after: start + string.after };
}

const MEMBER =
  /^(?:\s{1,4}(?:where|and)\s{1,4}|[\s,;]*)\\*["']?([\w.-]{1,32})\\*["']?\s{0,4}(?::|=>?)\s{0,8}/i;

/** Finds the value of the first following member for which `isWanted` is true. */
function findBeside(
  text: string,
  from: number,
  wanted: 'name' | 'value',
  isWanted: (name: string, part: Part) => boolean,
): Part | undefined {
  let at = from;
  for (let count = 0; count < MAX_BESIDE; count++) {
    const member = MEMBER.exec(text.slice(at, at + 96));
    if (member === null) return undefined;
    at += member[0].length;
    const escapes = countEscapes(text, at);
    const name = member[1] ?? '';
    if (isQuote(text.charCodeAt(at + escapes))) {
      const aside = readShort(text, at, escapes, MAX_ASIDE);
      // Reads a value to its end only if it can be hidden.
      const whole =
        wanted === 'value' && findValueRole(name) ? readString(text, at + escapes, escapes) : aside;
      if (whole !== undefined && isWanted(name, whole)) return toPart(text, whole.start, whole.end);
      if (aside === undefined) return undefined;
      at = aside.after;
    } else {
      const end = findRunEnd(text, at, isBare, at + MAX_ASIDE);
      if (end === at) return undefined;
      if (isWanted(name, { start: at, end })) return toPart(text, at, end);
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
function findInElement(scan: TextScan, from: number): Part | undefined {
  const { text } = scan;
  const tagEnd = findRunEnd(
    text,
    from,
    (code) => code !== GREATER && code !== LESS && !isLineEnd(code),
    from + MAX_ASIDE,
  );
  if (text.charCodeAt(tagEnd) !== GREATER || text.charAt(tagEnd - 1) === '/') return undefined;
  return findElementText(scan, tagEnd + 1);
}

/**
 * Finds the text of an element whose start tag ends before `start`; undefined if it has no text or contains
 * other elements.
 */
export function findElementText(scan: TextScan, start: number): Part | undefined {
  const { text } = scan;
  if (text.startsWith('<![CDATA[', start)) {
    const last = text.indexOf(']]>', start);
    return { start: start + 9, end: last < 0 ? text.length : last };
  }
  const next = start < scan.lastTag ? text.indexOf('<', start) : -1;
  if (next < 0) scan.lastTag = Math.min(scan.lastTag, start);
  else {
    const inner = findRunEnd(text, start, (code) => isBlank(code) || isLineEnd(code), next);
    return inner < next && text.startsWith('</', next) ? toPart(text, inner, next) : undefined;
  }
  const end = findRunEnd(text, start, (code) => code > 0x20 && code !== DOUBLE_QUOTE);
  return end === text.length ? toPart(text, start, end) : undefined;
}

/** Matches the rest of the headers of a part of a multipart form, from the end of the part's name to the empty line. */
const FORM_HEADERS =
  /^[^\r\n\\]{0,80}(?:(?:\r\n|\n|\\r\\n|\\n)[\w-]{1,32}: ?[^\r\n\\]{0,80}){0,3}(?:\r\n\r\n|\n\n|\\r\\n\\r\\n|\\n\\n)/;
const BOUNDARY = /\r?\n--|(?:\\r)?\\n--/g;
/** Maximum number of characters of a form's value that are hidden. A longer value is a file's content. */
const MAX_FORM_VALUE = 16_384;

/** Finds the value of a form part whose name ends at `from`. The value begins after the empty line and ends at the next boundary. */
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
