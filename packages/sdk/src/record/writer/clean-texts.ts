import type { Redactor } from '@throughline/contract/redaction';
import { setAdd, setHas } from './primordials.ts';

/** Limits of the cache of strings per request. A cached string stays in memory during the whole request. */
const MAX_TEXTS = 1000;
const MAX_LENGTH = 2000;

/** Caches the strings of one request that contain no secret, so that a string passed from function to function is searched only once. */
export class CleanTexts {
  readonly #redactor: Redactor;
  readonly #whole = new Set<string>();
  /** Cut strings that contain no secret and do not end with the beginning of a secret. */
  readonly #cut = new Set<string>();
  #count = 0;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Redacts a string; see {@link Redactor.text}. */
  clean(text: string, cut: boolean, found: Set<string> | undefined): string {
    const known = cut ? this.#cut : this.#whole;
    if (setHas(known, text)) return text;
    const shown = this.#redactor.text(text, cut, found);
    if (shown === text && text.length <= MAX_LENGTH && this.#count < MAX_TEXTS) {
      this.#count++;
      setAdd(known, text);
    }
    return shown;
  }
}
