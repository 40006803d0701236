import { toMatchedPart } from '../syntax/matched-part.ts';
import {
  DASH,
  findRunEnd,
  findRunStart,
  isBase64Url,
  isDigit,
  isLetterOrDigit,
  UNDERSCORE,
} from '../texts/characters.ts';
import type { Part, TextScan } from '../texts/scan.ts';
import { decodeBase64 } from './base64.ts';
import { characterKinds, ENCODED_JSON, HASH_KINDS, readShapes, type Shape } from './shape-table.ts';

let byPair: ReadonlyMap<number, readonly Shape[]> | undefined;

/** Returns the shapes by the first two characters of their prefixes. Longer prefixes come first: `sk-ant-` before `sk-`. */
function groupShapesByPair(): ReadonlyMap<number, readonly Shape[]> {
  const pairs = new Map<number, Shape[]>();
  for (const shape of readShapes()) {
    const pair = (shape.start.charCodeAt(0) << 7) | shape.start.charCodeAt(1);
    const others = pairs.get(pair);
    if (others === undefined) pairs.set(pair, [shape]);
    else others.push(shape);
  }
  for (const shapes of pairs.values()) shapes.sort((a, b) => b.start.length - a.start.length);
  return pairs;
}

const TOKEN_START = 'eyJ';

/** Finds a key with a known prefix, a JSON Web Token, or encoded JSON with a secret, at the word that begins at `at`. */
export function findShape(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  const pair = (text.charCodeAt(at) << 7) | text.charCodeAt(at + 1);
  if (text.startsWith(TOKEN_START, at)) {
    const token = findWebToken(scan, at);
    if (token !== undefined) return token;
  }
  const first = text.charCodeAt(at);
  if (first === SMALL_E || first === CAPITAL_W) {
    const encoded = findEncodedJson(scan, at);
    if (encoded !== undefined) return encoded;
  }
  byPair ??= groupShapesByPair();
  const shapes = byPair.get(pair);
  if (shapes === undefined) return undefined;
  for (const shape of shapes) {
    if (!text.startsWith(shape.start, at)) continue;
    // `pk_live_X` is a publishable key. A service shows it in its web pages, so it is no secret.
    if (MODES.has(shape.start) && at >= 3 && text.startsWith('pk_', at - 3)) continue;
    const end = findEnd(text, at + shape.start.length, shape);
    if (end === 0) continue;
    if (shape.start === PROMPT) return toMatchedPart(end, ANSWER.exec(text.slice(end, end + 240)));
    if (AWS_KEY_IDS.has(shape.start)) noteSecretBeside(scan, end);
    return { start: at, end };
  }
  return undefined;
}

/** `Password:` in base64. SMTP asks for the password with this text, and the password follows in the next line. */
const PROMPT = 'UGFzc3dvcmQ6';
const ANSWER = /^(?:\s|\\r|\\n){1,4}(?:C: |> |<- |-> )?([\w+/=]{4,200})/;

/** Every entry of {@link ENCODED_JSON} begins with one of these characters. */
const SMALL_E = 0x65;
const CAPITAL_W = 0x57;
const MIN_ENCODED = 24;

/** Finds base64-encoded JSON that contains a secret: `eyJwYXNzd29yZCI6IlgifQ==`. */
function findEncodedJson(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  if (at < scan.decodedEnd || !ENCODED_JSON.some((start) => text.startsWith(start, at))) return undefined;
  const end = findRunEnd(text, at, isBase64);
  scan.decodedEnd = end;
  if (end - at < MIN_ENCODED) return undefined;
  const decoded = decodeBase64(text.slice(at, end));
  return decoded !== undefined && scan.holdsSecret(new TextDecoder().decode(decoded))
    ? { start: at, end }
    : undefined;
}

function isBase64(code: number): boolean {
  return isBase64Url(code) || code === 0x2b || code === 0x2f || code === 0x3d;
}

const MODES = new Set(['live_', 'test_']);
const AWS_KEY_IDS = new Set(['AKIA', 'ASIA']);
const AWS_SECRET = /^[A-Za-z0-9/+]{40}$/;
/**
 * Matches the text between an AWS key's id and the key's secret: `AKIA…:X`. The text can include a name that does not denote a
 * secret: `AKIA…, value=X`.
 */
const BESIDE =
  /^[^A-Za-z0-9+\u2039]{1,8}(?:[\w-]{1,32}["']?\s{0,3}[:=,]\s{0,3}["']?)?(?=[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))/;
const MAX_BESIDE = 96;

/**
 * Adds the AWS secret key after a key's id to `scan.pending`, unless other parts are pending. The secret key has no prefix: it consists of
 * 40 letters, digits, slashes and plus signs.
 */
function noteSecretBeside(scan: TextScan, end: number): void {
  const between = BESIDE.exec(scan.text.slice(end, end + MAX_BESIDE))?.[0];
  if (between === undefined || (scan.pending?.length ?? 0) > 0) return;
  const start = end + between.length;
  scan.pending = [{ start, end: start + 40 }];
}

export function isAwsKeyId(text: string): boolean {
  return text.length === 20 && AWS_KEY_IDS.has(text.slice(0, 4)) && /^[A-Z0-9]+$/.test(text);
}

/** True if a string next to an AWS key's id can be the key's secret. */
export function mayBeAwsSecret(text: string): boolean {
  return AWS_SECRET.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
}

/** Beginnings of password hashes in the crypt(3) and PHC formats. */
const HASH_BEGINS =
  /^\$(?:2[abxy]?\$\d\d\$|(?:argon2(?:id|[id])|scrypt|yescrypt|pbkdf2[\w-]{0,10}|bcrypt-sha256|balloon|sha1|md5|apr1|gy|[1567yPHS])\$)/;
const MAX_HASH_BEGINNING = 20;
const MIN_HASH = 20;

/** Finds a password hash that begins with the `$` at `at`: `$2b$12$…`, `$argon2id$v=19$…`, `$6$…`. */
export function findPasswordHash(text: string, at: number): Part | undefined {
  const begins = HASH_BEGINS.exec(text.slice(at, at + MAX_HASH_BEGINNING))?.[0];
  if (begins === undefined) return undefined;
  const start = at + begins.length;
  if (findRunEnd(text, start, isHashCode, start + MIN_HASH) < start + MIN_HASH) return undefined;
  let end = findRunEnd(text, start, isHashCode);
  while (text.charCodeAt(end - 1) === 0x2e || text.charCodeAt(end - 1) === 0x2c) end--;
  return { start: at, end };
}

function isHashCode(code: number): boolean {
  return code < 128 && ((characterKinds[code] ?? 0) & HASH_KINDS) !== 0 && code !== 0x3a;
}

/**
 * Maximum number of characters before the first digit of a key whose prefix is ambiguous. With more characters before the first digit, the
 * text is treated as words.
 */
const MAX_WITHOUT_DIGIT = 48;

/** Returns the end of a key whose characters after the prefix begin at `start`, or 0 if there is no key. */
function findEnd(text: string, start: number, { kinds, min, max, needsDigit }: Shape): number {
  let end = start;
  let digits = 0;
  for (; end < text.length && (max === undefined || end - start <= max); end++) {
    const code = text.charCodeAt(end);
    if (code >= 128 || ((characterKinds[code] ?? 0) & kinds) === 0) break;
    if (needsDigit && digits === 0 && end - start > MAX_WITHOUT_DIGIT) return 0;
    if (isDigit(code)) digits++;
  }
  // Leaves out the full stop of a sentence.
  while (end > start && !isLetterOrDigit(text.charCodeAt(end - 1)) && !isTail(text.charCodeAt(end - 1)))
    end--;
  if (end - start < min || (needsDigit && digits === 0)) return 0;
  if (max === undefined) return end;
  return end - start === max && !isLetterOrDigit(text.charCodeAt(end)) ? end : 0;
}

function isTail(code: number): boolean {
  return code === UNDERSCORE || code === DASH || code === 0x3d;
}

/**
 * Finds a JSON Web Token (or JWE) that begins at `at`: `eyJ…`, a dot, the claims, and possibly more. The
 * token can be cut off.
 */
function findWebToken(scan: TextScan, at: number): Part | undefined {
  const { text } = scan;
  if (at >= scan.runEnd) scan.runEnd = findRunEnd(text, at, isBase64Url);
  const headerEnd = scan.runEnd;
  if (headerEnd - at < 10 || text.charCodeAt(headerEnd) !== 0x2e) return undefined;
  let end = findRunEnd(text, headerEnd + 1, isBase64Url);
  // Without an encrypted key, the second part of a JWE is empty.
  if (end - headerEnd < 3 && text.charCodeAt(end) !== 0x2e) return undefined;
  while (text.charCodeAt(end) === 0x2e) end = findRunEnd(text, end + 1, isBase64Url);
  return { start: at, end: text.charCodeAt(end - 1) === 0x2e ? end - 1 : end };
}

/**
 * Finds a Telegram bot token: a number, a colon and 35 characters, or fewer if the token was cut off. The digits begin at `at` and end at
 * `colon`.
 */
export function findBotToken(text: string, at: number, colon: number): Part | undefined {
  const digits = colon - at;
  if (digits < 6 || digits > 12 || !text.startsWith(':A', colon)) return undefined;
  // In the path of a call, the token follows `bot`: `/bot123456:X/getMe`.
  if (isBase64Url(text.charCodeAt(at - 1)) && !text.startsWith('/bot', at - 4)) return undefined;
  const end = findRunEnd(text, colon + 1, isBase64Url);
  const isOfBot = text.startsWith(':AA', colon) && hasMixedDigits(text.slice(colon + 3, end));
  return end - colon > (isOfBot ? 14 : 30) ? { start: at, end } : undefined;
}

function hasMixedDigits(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
}

/** Finds a Mailchimp key whose dash before `us` is at `at`: 32 hexadecimal digits, `-us` and a number. */
export function findRegionKey(text: string, at: number): Part | undefined {
  if (!text.startsWith('us', at + 1)) return undefined;
  const end = findRunEnd(text, at + 3, isDigit, at + 6);
  const start = findRunStart(text, at, isHex, 33);
  return end > at + 3 && at - start === 32 ? { start, end } : undefined;
}

/** Finds an Azure client secret whose `~` is at `at`: three characters, a digit, `Q~` and about 34 more. */
export function findClientSecret(text: string, at: number): Part | undefined {
  if (text[at - 1] !== 'Q' || !isDigit(text.charCodeAt(at - 2))) return undefined;
  const start = findRunStart(text, at - 2, isClientSecret, 4);
  if (at - 2 - start !== 3) return undefined;
  const end = findRunEnd(text, at + 1, isClientSecret);
  return end - at > 30 ? { start, end } : undefined;
}

function isHex(code: number): boolean {
  return isDigit(code) || (code >= 0x61 && code <= 0x66);
}

function isClientSecret(code: number): boolean {
  return isBase64Url(code) || code === 0x2e || code === 0x7e;
}

const KEY_BEGINS = '-----BEGIN ';
const KEY_ENDS = '-----END ';
const MAX_LABEL = 64;

/**
 * Finds the body of a PEM private key, up to its last line. `at` is the position of the dashes. A truncated
 * key extends to the end of the text.
 */
export function findPrivateKey(text: string, at: number): Part | undefined {
  if (!text.startsWith(KEY_BEGINS, at)) return undefined;
  const label = text.slice(at + KEY_BEGINS.length, at + KEY_BEGINS.length + MAX_LABEL);
  const end = label.indexOf('-----');
  if (end < 0 || !/PRIVATE|SECRET|SEED/.test(label.slice(0, end))) return undefined;
  const start = at + KEY_BEGINS.length + end + 5;
  const last = text.indexOf(KEY_ENDS, start);
  const bodyEnd = last < 0 ? text.length : last;
  return bodyEnd > start ? { start, end: bodyEnd } : undefined;
}

/** Ports of PostgreSQL, its connection poolers and compatible databases. */
const POSTGRES_PORT = /^(?:543\d|6432|6543|26257)$/;
const BEHIND_PORT = /^:[\w*.-]{1,63}:[\w*.@-]{1,63}:([^\s:'"`\\]{4,128})/;
const MAX_ENTRY = 320;

/**
 * Finds the password in a line of `.pgpass`, `host:port:database:user:X`, whose port is from `start` to
 * `end`.
 */
export function findPgpassPassword(text: string, start: number, end: number): Part | undefined {
  if (
    text.charAt(start - 1) !== ':' ||
    text.charAt(end) !== ':' ||
    !POSTGRES_PORT.test(text.slice(start, end))
  )
    return undefined;
  const found = BEHIND_PORT.exec(text.slice(end, end + MAX_ENTRY));
  const password = found?.[1];
  if (found === null || password === undefined || /^\*+$/.test(password)) return undefined;
  const last = end + found[0].length;
  return { start: last - password.length, end: last };
}
