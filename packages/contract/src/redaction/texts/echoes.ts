import { listEncodings } from './encodings.ts';
import { MAX_COMPARED, MAX_ENCODED } from './hidden-texts.ts';

/** Number of a secret's first bytes that must match: the window. The search hashes the last two bytes of the window. */
const WINDOW = 6;
/** Maximum number of secrets with the same hash. If there are more, the search is skipped and reports a match. */
const MAX_ALIKE = 8;
/** Matches six or more consecutive characters that JSON and the rows of the trace store write without escapes. */
const UNESCAPED = /[^"\\\p{Cc}\p{Cs}]{6,}/u;
/** Matches a text that contains no character to escape. */
const UNESCAPED_TEXT = /^[^"\\\p{Cc}\p{Cs}]+$/u;
const ASCII = /^[ -~]*$/;
const HEX_DIGITS = /^[\da-f]+$/;

const encoder = new TextEncoder();

function hashPair(first: number, second: number): number {
  return ((first << 5) ^ second) & 0xfff;
}

/**
 * Checks quickly whether a trace's serialized bytes can contain one of the trace's secrets again. Most traces have a cookie or key that
 * occurs only once, and this search is far cheaper than a second walk over the values. A reported match can be wrong. A match is always
 * reported if escaped characters, such as quotes, divide a secret into short parts. Reads about every fourth byte: the last two bytes of a
 * window show how far the search can skip.
 */
export class EchoSearch {
  readonly #shifts = new Uint8Array(0x1000).fill(WINDOW - 1);
  readonly #byBlock = new Map<number, string[]>();
  #always = false;

  constructor(secrets: Iterable<string>) {
    let count = 0;
    for (const secret of secrets) {
      const written = findSearched(secret);
      if (written === undefined) this.#always = true;
      else this.#add(written);
      if (count < MAX_ENCODED) for (const encoded of listEncoded(secret)) this.#add(encoded);
      count++;
    }
  }

  #add(text: string): void {
    for (let at = 0; at < WINDOW - 1; at++) {
      const block = hashPair(text.charCodeAt(at), text.charCodeAt(at + 1));
      this.#shifts[block] = Math.min(this.#shifts[block] ?? 0, WINDOW - 2 - at);
    }
    const last = hashPair(text.charCodeAt(WINDOW - 2), text.charCodeAt(WINDOW - 1));
    const alike = this.#byBlock.get(last) ?? [];
    alike.push(text);
    this.#byBlock.set(last, alike);
    if (alike.length > MAX_ALIKE) this.#always = true;
  }

  isIn(bytes: Uint8Array): boolean {
    if (this.#always || this.#byBlock.size === 0) return this.#always;
    let at = WINDOW - 1;
    while (at < bytes.length) {
      const block = hashPair(bytes[at - 1] ?? 0, bytes[at] ?? 0);
      const shift = this.#shifts[block] ?? 0;
      if (shift === 0 && this.#isAt(bytes, at - WINDOW + 1, block)) return true;
      at += shift || 1;
    }
    return false;
  }

  #isAt(bytes: Uint8Array, start: number, block: number): boolean {
    for (const text of this.#byBlock.get(block) ?? []) if (stands(text, bytes, start)) return true;
    return false;
  }
}

/** Returns the part of a secret that is searched for. Undefined if every part that is written without escapes is too short. */
function findSearched(secret: string): string | undefined {
  if (secret.length >= WINDOW) return findUnescaped(secret);
  // A short text is searched for only as a complete string.
  const written = toByteText(`"${secret}"`);
  return UNESCAPED_TEXT.test(secret) && written.length >= WINDOW ? written : undefined;
}

/** Lists the parts of a secret's encoded forms that are searched for. */
function listEncoded(secret: string): readonly string[] {
  const { anywhere, alone } = listEncodings(secret);
  // Hexadecimal digits can also be written with capitals.
  const capitals = anywhere.filter((text) => HEX_DIGITS.test(text)).map((text) => text.toUpperCase());
  return [...anywhere, ...alone, ...capitals].map(findUnescaped).filter((part) => part !== undefined);
}

/** Returns the first part of a text that is written without escapes. Undefined if all of these parts are short. */
function findUnescaped(text: string): string | undefined {
  const part = UNESCAPED.exec(text)?.[0];
  return part === undefined ? undefined : toByteText(part);
}

/** Returns the first bytes of a text in UTF-8, at most {@link MAX_COMPARED}, with one character per byte. */
function toByteText(text: string): string {
  if (ASCII.test(text)) return text.slice(0, MAX_COMPARED);
  return String.fromCharCode(...encoder.encode(text).subarray(0, MAX_COMPARED));
}

function stands(text: string, bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text.charCodeAt(at)) return false;
  return true;
}
