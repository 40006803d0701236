import { REDACTED_TEXT } from './characters.ts';
import { listEncodings } from './encodings.ts';

/**
 * Minimum length of secrets that are found within longer texts. Shorter secrets are hidden only if they are
 * the complete text.
 */
const WINDOW = 8;
/** Maximum number of characters that are compared. A longer secret counts as found if these match. */
export const MAX_COMPARED = 64;
/** Maximum number of secrets with the same first characters. It bounds the work per text. */
const MAX_ALIKE = 8;
/** Maximum number of secrets per trace whose encoded forms are searched for, too. */
export const MAX_ENCODED = 32;

const HEX_DIGITS = /^[\da-f]+$/;

const FACTOR = 0x01000193;
const BITS = 12;

/**
 * Returns the factor by which a rolling hash multiplies the oldest character of its window. The hash subtracts the character with this
 * factor.
 */
function computeLastFactor(window: number): number {
  let factor = 1;
  for (let count = 1; count < window; count++) factor = Math.imul(factor, FACTOR);
  return factor;
}

const LAST = computeLastFactor(WINDOW);

function hashStart(text: string): number {
  let hash = 0;
  for (let at = 0; at < WINDOW; at++) hash = (Math.imul(hash, FACTOR) + text.charCodeAt(at)) | 0;
  return hash;
}

/**
 * Hides the secrets of one trace in its texts, in one pass over each text. A rolling hash over the last characters shows where a secret can
 * begin.
 */
export class HiddenTexts {
  readonly #whole: Set<string>;
  readonly #byHash = new Map<number, string[]>();
  readonly #bits = new Uint8Array(1 << BITS);

  constructor(secrets: Iterable<string>) {
    const given = [...secrets];
    this.#whole = new Set(given);
    const searched = new Set(given);
    for (const secret of given.slice(0, MAX_ENCODED)) {
      const { anywhere, alone } = listEncodings(secret);
      for (const text of anywhere) searched.add(text);
      for (const text of anywhere) if (HEX_DIGITS.test(text)) searched.add(text.toUpperCase());
      for (const text of alone) this.#whole.add(text);
    }
    for (const secret of searched) {
      if (secret.length < WINDOW) continue;
      const hash = hashStart(secret);
      const alike = this.#byHash.get(hash) ?? [];
      if (alike.length < MAX_ALIKE) alike.push(secret);
      // Sorts the longest secret first, so that the longest match is hidden.
      alike.sort((a, b) => b.length - a.length);
      this.#byHash.set(hash, alike);
      this.#bits[hash >>> (32 - BITS)] = 1;
    }
  }

  /**
   * Hides the secrets in `text`. A long secret, and its encoded forms, are hidden anywhere in the text; a short secret only if it is the
   * complete text.
   */
  hide(text: string): string {
    if (this.#whole.has(text)) return REDACTED_TEXT;
    if (text.length < WINDOW || this.#byHash.size === 0) return text;
    let out = '';
    let kept = 0;
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      const leaves = at - WINDOW < kept ? 0 : text.charCodeAt(at - WINDOW);
      hash = (Math.imul(hash - Math.imul(leaves, LAST), FACTOR) + text.charCodeAt(at)) | 0;
      const start = at - WINDOW + 1;
      if (start < kept || this.#bits[hash >>> (32 - BITS)] === 0) continue;
      const end = this.#endOfSecret(text, start, hash);
      if (end === 0) continue;
      out += text.slice(kept, start) + REDACTED_TEXT;
      kept = end;
      at = end - 1;
      hash = 0;
    }
    return kept === 0 ? text : out + text.slice(kept);
  }

  #endOfSecret(text: string, start: number, hash: number): number {
    for (const secret of this.#byHash.get(hash) ?? []) {
      if (!text.startsWith(secret.slice(0, MAX_COMPARED), start)) continue;
      let length = Math.min(secret.length, MAX_COMPARED);
      while (length < secret.length && text.charCodeAt(start + length) === secret.charCodeAt(length))
        length++;
      return start + length;
    }
    return 0;
  }
}
