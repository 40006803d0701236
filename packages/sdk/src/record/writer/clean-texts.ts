import type { Redactor } from '@throughline/contract/redaction';
import { setAdd, setHas } from './primordials.ts';

/** Limits the length of texts that are cached per request. Longer texts would stay in memory for the whole request. */
const MAX_TEXTS = 1000;
const MAX_LENGTH = 2000;

/** Caches texts of one request that hold no secret. A text that is passed from function to function is searched once. */
export class CleanTexts {
  readonly #redactor: Redactor;
  readonly #whole = new Set<string>();
  /** Texts that also do not end with a part of a secret. */
  readonly #cut = new Set<string>();
  #count = 0;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** See {@link Redactor.text}. */
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
