import type { CutReason, TaggedValue } from '@throughline/contract/values';
import { excerpt, jsonBytes, label } from './snapshot-text.ts';

/** No marker takes more bytes of JSON: nothing is visited with less room than this, so there is always room to say that it was cut. */
export const MARKER_BYTES = 128;

/** The bytes of JSON that a request's values may take, step by step, and the count of what did not fit. Estimates are from above. */
export class SnapshotBudget {
  /** Left in the current moment of the step. */
  left = 0;
  cutValues = 0;
  /** Hidden, as far as it is known without reading it: characters of strings, bytes of binary data. */
  cutBytes = 0;
  #granted = 0;
  #requestLeft: number;

  constructor(requestBytes: number) {
    this.#requestLeft = requestBytes;
  }

  /** Taken since the last grant. */
  get spent(): number {
    return this.#granted - this.left;
  }

  /** Opens a new moment, which may take `bytes`, or what the request has left. */
  grant(bytes: number): void {
    this.#requestLeft -= this.spent;
    this.#granted = Math.max(0, Math.min(bytes, this.#requestLeft));
    this.left = this.#granted;
  }

  /** Whether there is room for `bytes` and, after them, a marker. */
  hasRoom(bytes: number): boolean {
    return this.left >= bytes + MARKER_BYTES;
  }

  /** Counts a value that is shown in part. */
  noteCut(hidden = 0): void {
    this.cutValues++;
    this.cutBytes += hidden;
  }

  /** The marker of something not shown; `hidden` is its size in characters or bytes where that is known. */
  cut(of: string, reason: CutReason, size?: number, hidden = 0): TaggedValue {
    this.left -= MARKER_BYTES;
    this.noteCut(hidden);
    return size === undefined
      ? { $type: 'cut', of: label(of), reason }
      : { $type: 'cut', of: label(of), size, reason };
  }

  /** A secondary text (message, stack, pattern), cut in words and charged; undefined when there is no room for it. */
  text(text: string, length: number): string | undefined {
    const shown = excerpt(text, length);
    const bytes = jsonBytes(shown);
    if (!this.hasRoom(bytes)) return undefined;
    this.left -= bytes;
    if (text.length > length) this.noteCut(text.length - length);
    return shown;
  }
}
