import type { Redactor } from '@throughline/contract/redaction';
import { setAdd, setHas } from './snapshot-intrinsics.ts';

/** Of one request. Longer texts would be held for as long as it lasts. */
const MAX_TEXTS = 1000;
const MAX_LENGTH = 2000;

/** Texts of one request without their secrets. A text is handed from function to function: one that holds no secret is looked through once. */
export class CleanTexts {
  readonly #redactor: Redactor;
  readonly #whole = new Set<string>();
  /** Known not to end with a part of a secret either. */
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
