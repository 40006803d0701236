import { listEncodings } from './encodings.ts';
import { MAX_ENCODED } from './hidden-texts.ts';

/** So many bytes of a secret are looked for at first, by its last two. */
const WINDOW = 6;
/** Secrets whose windows end alike; with more of them the bytes are not looked through at all. */
const MAX_ALIKE = 8;
const PLAIN = /[\w!#$%&'()*+,\-./:;<=>?@[\]^`{|}~ ]{6,}/;
const HEX_DIGITS = /^[\da-f]+$/;
const PLAIN_SHORT = /^[\w!#$%&'()*+,\-./:;<=>?@[\]^`{|}~ ]+$/;

function hashPair(first: number, second: number): number {
  return ((first << 5) ^ second) & 0xfff;
}

/**
 * Tells whether secrets of a trace may stand in it as it is written. Most traces have a cookie or a key that occurs nowhere else: a look at the bytes is far
 * cheaper than a second walk over the values. The answer may be yes by mistake, never no. It looks at about every fourth byte: the last two of a window tell
 * how far the next window may be that ends a secret's beginning.
 */
export class EchoSearch {
  readonly #shifts = new Uint8Array(0x1000).fill(WINDOW - 1);
  readonly #byBlock = new Map<number, string[]>();
  #always = false;

  constructor(secrets: Iterable<string>) {
    let count = 0;
    for (const secret of secrets) {
      for (const written of writings(secret, count < MAX_ENCODED)) this.#add(written);
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

/** Lists the forms of a secret to search for: as it is and, where asked, encoded. */
function writings(secret: string, alsoEncoded: boolean): readonly string[] {
  // A text so short is looked for only where it stands alone.
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
  // Hexadecimal digits are written in capitals too.
  for (const text of anywhere) if (HEX_DIGITS.test(text)) found.push(text.toUpperCase());
  return found;
}

function stands(text: string, bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text.charCodeAt(at)) return false;
  return true;
}
