import { isDigit } from './redaction-cards.ts';

/** The part of a text that is secret. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Tells whether a parameter or JSON member of this name holds a secret. */
export interface Names {
  has(name: string): boolean;
}

/** Names longer than this are not looked for. */
const NAME_LENGTH = 64;

/** What the search for credentials knows of one text, so that a text of many URLs is not gone through for each of them. */
export interface UrlSearch {
  /** From the last failed search up to here there is no '@'. */
  noSignBefore: number;
}

const HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
]);

const isBase64Url = (code: number): boolean =>
  isDigit(code) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a) ||
  code === 0x2d ||
  code === 0x5f;

const isNameCode = (code: number): boolean =>
  isBase64Url(code) || code === 0x2e || code === 0x5b || code === 0x5d || code === 0x25;

/** The end of what `belongs` from `start` on. */
function endOf(text: string, start: number, belongs: (code: number) => boolean): number {
  let end = start;
  while (end < text.length && belongs(text.charCodeAt(end))) end++;
  return end;
}

function startOf(text: string, end: number, belongs: (code: number) => boolean): number {
  let start = end;
  while (start > 0 && end - start <= NAME_LENGTH && belongs(text.charCodeAt(start - 1))) start--;
  return start;
}

/** A JSON Web Token (or JWE) that begins with this 'e': `eyJ…`, a dot, the claims, perhaps more; it may be cut off. */
export function jwtSecret(text: string, at: number): Part | undefined {
  if (text.charCodeAt(at + 1) !== 0x79 || text.charCodeAt(at + 2) !== 0x4a) return undefined;
  if (at > 0 && isBase64Url(text.charCodeAt(at - 1)) && text.charCodeAt(at - 1) !== 0x2d) return undefined;
  const headerEnd = endOf(text, at, isBase64Url);
  if (headerEnd - at < 10 || text.charCodeAt(headerEnd) !== 0x2e) return undefined;
  let end = endOf(text, headerEnd + 1, isBase64Url);
  if (end - headerEnd < 3) return undefined;
  while (text.charCodeAt(end) === 0x2e) end = endOf(text, end + 1, isBase64Url);
  // A sentence's full stop is not part of it.
  return { start: at, end: text.charCodeAt(end - 1) === 0x2e ? end - 1 : end };
}

/** What follows `Bearer` or `Basic` beginning at this letter, if it looks like credentials rather than a word of prose. */
export function authorizationSecret(text: string, at: number): Part | undefined {
  if (at > 0 && isBase64Url(text.charCodeAt(at - 1))) return undefined;
  const scheme = text.slice(at, at + 7).toLowerCase();
  const length = scheme === 'bearer ' ? 7 : scheme.startsWith('basic ') ? 6 : 0;
  if (length === 0) return undefined;
  const start = at + length;
  const end = endOf(
    text,
    start,
    (code) =>
      isBase64Url(code) || code === 0x2e || code === 0x7e || code === 0x2b || code === 0x2f || code === 0x3d,
  );
  const credentials = text.slice(start, end);
  return credentials.length >= 8 && /[\d=+/_]|.[A-Z]|\.\w/.test(credentials) ? { start, end } : undefined;
}

const isAuthority = (code: number): boolean =>
  code !== 0x2f && code !== 0x3f && code !== 0x23 && isUnbroken(code);

/** Blanks, quotes, and where something was taken out already end what cannot hold them. */
const isUnbroken = (code: number): boolean =>
  code > 0x20 &&
  code !== 0x22 &&
  code !== 0x27 &&
  code !== 0x3c &&
  code !== 0x3e &&
  code !== 0x60 &&
  code !== 0x2039;

/** User and password of a URL whose authority begins at `start`: `postgres://user:password@host`. */
export function urlSecret(text: string, start: number, search: UrlSearch): Part | undefined {
  const end = endOf(text, start, isAuthority);
  const at = text.slice(start, end).lastIndexOf('@');
  if (at > 0) return { start, end: start + at };
  if (at === 0 || text.charCodeAt(start) === 0x5b || start < search.noSignBefore) return undefined;
  // A password with an unescaped slash ends the authority early. It is told from a port by not being a number.
  const colon = text.slice(start, end).indexOf(':');
  if (colon < 1 || endOf(text, start + colon + 1, isDigit) >= end) return undefined;
  const blank = endOf(text, end, isUnbroken);
  const late = text.slice(start, blank).lastIndexOf('@');
  if (late > 0) return { start, end: start + late };
  search.noSignBefore = blank;
  return undefined;
}

/** The value of a URL's, form's, cookie's or connection string's parameter whose name ends before the '=' at `at`. */
export function parameterSecret(text: string, at: number, names: Names): Part | undefined {
  const nameStart = startOf(text, at, isNameCode);
  if (nameStart === at || at - nameStart > NAME_LENGTH || !startsParameter(text, nameStart)) return undefined;
  const start = at + 1;
  const end = endOf(text, start, isParameterValue);
  return end > start && names.has(text.slice(nameStart, at)) ? { start, end } : undefined;
}

const isParameterValue = (code: number): boolean =>
  isUnbroken(code) && code !== 0x26 && code !== 0x3b && code !== 0x23 && code !== 0x5c;

/** Parameters follow `?`, `&`, `#`, `;`, a JSON quote, or nothing. */
function startsParameter(text: string, start: number): boolean {
  if (start === 0) return true;
  let before = start - 1;
  if (text.charCodeAt(before) === 0x20) before--;
  return before >= 0 && '?&#;"\''.includes(text.charAt(before));
}

/** The value of a member of JSON text whose quoted name ends before the ':' at `at`: its string or number. */
export function jsonSecret(text: string, at: number, names: Names): Part | undefined {
  const nameEnd = at - 1;
  if (text.charCodeAt(nameEnd) !== 0x22) return undefined;
  // JSON within JSON escapes its quotes; each level has its own number of backslashes.
  const escapes = nameEnd - startOf(text, nameEnd, isBackslash);
  const nameStart = startOf(text, nameEnd - escapes, isNameCode);
  if (nameStart === nameEnd - escapes || text.charCodeAt(nameStart - 1) !== 0x22) return undefined;
  let start = endOf(text, at + 1, (code) => code === 0x20);
  const quote = endOf(text, start, isBackslash);
  const quoted = text.charCodeAt(quote) === 0x22 && quote - start === escapes;
  if (!quoted && !isDigit(text.charCodeAt(start)) && text.charCodeAt(start) !== 0x2d) return undefined;
  if (!names.has(text.slice(nameStart, nameEnd - escapes))) return undefined;
  if (!quoted) return { start, end: endOf(text, start, isNumberCode) };
  start = quote + 1;
  const end = endOfString(text, start, escapes);
  return end > start ? { start, end } : undefined;
}

const isBackslash = (code: number): boolean => code === 0x5c;

const isNumberCode = (code: number): boolean =>
  isDigit(code) || code === 0x2d || code === 0x2e || code === 0x2b || code === 0x65 || code === 0x45;

/** Where a string ends whose quotes are escaped by `escapes` backslashes; a cut text ends it too. */
function endOfString(text: string, start: number, escapes: number): number {
  for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (quote - backslashes > start && isBackslash(text.charCodeAt(quote - backslashes - 1)))
      backslashes++;
    // The JSON around this one ended first.
    if (backslashes < escapes) return quote - backslashes;
    // An escaped quote within the string has at least twice as many and one; a closing one may follow escaped backslashes.
    if (backslashes % (2 * (escapes + 1)) === escapes) return quote - escapes;
  }
  return text.length;
}

/** The rest of a header's line, when a line begins with the name that ends before the ':' at `at`. */
export function headerSecret(text: string, at: number): Part | undefined {
  // Most colons stand in times and after words that no header ends with: authorization, cookie, key, token.
  const last = text.charCodeAt(at - 1) | 0x20;
  if (last !== 0x6e && last !== 0x65 && last !== 0x79) return undefined;
  const nameStart = startOf(text, at, isBase64Url);
  if (nameStart > 0 && text.charCodeAt(nameStart - 1) !== 0x0a) return undefined;
  if (!HEADERS.has(text.slice(nameStart, at).toLowerCase())) return undefined;
  const start = endOf(text, at + 1, (code) => code === 0x20);
  const end = endOf(text, start, (code) => code !== 0x0a && code !== 0x0d);
  return end > start ? { start, end } : undefined;
}
