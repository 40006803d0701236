import type { Redactor } from '@throughline/contract/redaction';
import { setAdd, setHas } from './primordials.ts';

/** Limits of the cache of strings per request. A cached string stays in memory during the whole request. */
const MAX_TEXTS = 1000;
const MAX_LENGTH = 2000;

/** Caches the strings of one request that contain no secret, so that a string passed from function to function is searched only once. */
export class CleanTexts {
  readonly #redactor: Redactor;
  readonly #whole = new Set<string>();
  /**
   * Strings that are longer than the string limit and whose captured beginning contains no secret. Each is stored with the characters after
   * the limit that were read to check this.
   */
  readonly #cut = new Set<string>();
  #count = 0;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Redacts a string; see {@link Redactor.text}. */
  clean(text: string, found: Set<string> | undefined): string {
    if (setHas(this.#whole, text)) return text;
    const shown = this.#redactor.text(text, false, found);
    if (shown === text) this.#add(this.#whole, text);
    return shown;
  }

  /**
   * Redacts the first `length` characters of a string; see {@link Redactor.beginning}. Every call must have the same `length`. `plain`
   * contains the same characters before redaction.
   */
  beginning(read: string, length: number, plain: string, found: Set<string> | undefined): string {
    if (setHas(this.#cut, read)) return plain;
    const shown = this.#redactor.beginning(read, length, found);
    if (shown === plain) this.#add(this.#cut, read);
    return shown;
  }

  #add(known: Set<string>, text: string): void {
    if (text.length > MAX_LENGTH || this.#count >= MAX_TEXTS) return;
    this.#count++;
    setAdd(known, text);
  }
}
