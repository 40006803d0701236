import { listEncodings } from './encodings.ts';
import { MAX_ENCODED } from './hidden-texts.ts';

/** Number of a secret's first bytes that must match: the window. The search hashes the last two bytes of the window. */
const WINDOW = 6;
/** Maximum number of secrets with the same hash. If there are more, the search is skipped and reports a match. */
const MAX_ALIKE = 8;
const PLAIN = /[\w!#$%&'()*+,\-./:;<=>?@[\]^`{|}~ ]{6,}/;
const HEX_DIGITS = /^[\da-f]+$/;
const PLAIN_SHORT = /^[\w!#$%&'()*+,\-./:;<=>?@[\]^`{|}~ ]+$/;

function hashPair(first: number, second: number): number {
  return ((first << 5) ^ second) & 0xfff;
}

/**
 * Checks quickly whether a trace's serialized bytes can contain its secrets again. Most traces have a cookie or key that occurs nowhere
 * else, and this search is far cheaper than a second walk over the values. It can report a match wrongly. It finds only secrets with at least
 * six plain ASCII characters in a row, counting the quotes around a short one. Reads about every fourth byte: the last two bytes of a window
 * show how far the search can skip.
 */
export class EchoSearch {
  readonly #shifts = new Uint8Array(0x1000).fill(WINDOW - 1);
  readonly #byBlock = new Map<number, string[]>();
  #always = false;

  constructor(secrets: Iterable<string>) {
    let count = 0;
    for (const secret of secrets) {
      for (const written of listForms(secret, count < MAX_ENCODED)) this.#add(written);
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

/** Lists the forms of a secret to search for: unchanged and, if `alsoEncoded`, encoded. */
function listForms(secret: string, alsoEncoded: boolean): readonly string[] {
  // A short text is searched for only as a complete string.
  if (secret.length < WINDOW)
    return PLAIN_SHORT.test(secret) ? [`"${secret}"`].filter(({ length }) => length >= WINDOW) : [];
  const plain = PLAIN.exec(secret)?.[0];
  const found = plain === undefined ? [] : [plain];
  if (!alsoEncoded) return found;
  const { anywhere, alone } = listEncodings(secret);
  for (const text of [...anywhere, ...alone]) {
    const part = PLAIN.exec(text)?.[0];
    if (part !== undefined) found.push(part);
  }
  // Hexadecimal digits can also be written with capitals.
  for (const text of anywhere) if (HEX_DIGITS.test(text)) found.push(text.toUpperCase());
  return found;
}

function stands(text: string, bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text.charCodeAt(at)) return false;
  return true;
}
