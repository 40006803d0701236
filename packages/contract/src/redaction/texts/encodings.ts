import { decodeBase64 } from '../shapes/base64.ts';
import { looksSecret } from '../shapes/plausible.ts';

/** Minimum length of a text whose encoded forms are searched for. Encoded forms of shorter texts occur in other texts by chance. */
const MIN_ENCODED = 8;
const MAX_ENCODED = 512;
/** Minimum length of half a secret that is searched for. A shorter half is often an ordinary word or number. */
const MIN_HALF = 6;

const HEX_TEXT = /^(?:[\da-f]{2})+$/i;

const encoder = new TextEncoder();
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Forms in which programs write a secret. They are searched for in other texts. */
export interface Writings {
  /** Forms to find anywhere, also within longer texts. */
  readonly anywhere: readonly string[];
  /** Forms to find only as complete texts: the two halves of the secret. */
  readonly alone: readonly string[];
}

const NONE: Writings = { anywhere: [], alone: [] };

/**
 * Lists the encoded forms of a secret: base64 at each of the three byte alignments, hexadecimal, URL-encoded, reversed, and its two halves.
 * If the secret itself encodes bytes, such as a password's hash, also lists forms of those bytes: as in a Buffer, in base64 and in
 * hexadecimal.
 */
export function listEncodings(secret: string): Writings {
  if (secret.length < MIN_ENCODED || secret.length > MAX_ENCODED) return NONE;
  const anywhere = listAllEncodings(secret);
  const half = Math.ceil(secret.length / 2);
  const alone = [secret.slice(0, half), secret.slice(half)].filter(
    (part) => part.length >= MIN_HALF && looksSecret(part),
  );
  return { anywhere, alone };
}

function listAllEncodings(secret: string): string[] {
  const bytes = encoder.encode(secret);
  const binary = String.fromCharCode(...bytes);
  const found = [...listBase64Forms(binary), toHex(binary), [...secret].reverse().join('')];
  const written = decodeWritten(secret);
  if (written !== undefined) found.push(written, ...listBase64Forms(written), toHex(written));
  const inUrl = encodeURIComponent(secret.toWellFormed());
  if (inUrl !== secret) found.push(inUrl);
  return found;
}

/**
 * Decodes a hexadecimal or base64 string to its bytes, with one character per byte. Returns undefined for other strings, and for strings
 * that encode only a few bytes.
 */
function decodeWritten(text: string): string | undefined {
  const bytes = HEX_TEXT.test(text)
    ? Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
    : decodeBase64(text);
  return bytes === undefined || bytes.length < MIN_ENCODED ? undefined : String.fromCharCode(...bytes);
}

function toHex(binary: string): string {
  return Array.from(binary, (char) => HEX[char.charCodeAt(0)]).join('');
}

/** Lists the base64 characters that depend only on the secret, not on the bytes before and after it. */
function listBase64Forms(binary: string): string[] {
  const found: string[] = [];
  for (let before = 0; before < 3; before++) {
    const whole = btoa(`${'\0'.repeat(before)}${binary}`);
    const bits = (before + binary.length) * 8;
    const part = whole.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
    if (part.length < MIN_ENCODED) continue;
    found.push(part);
    if (/[+/]/.test(part)) found.push(part.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return found;
}
