import { FairQueue } from './fair-queue.ts';

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

export interface FairPaceOptions {
  /** Bytes allowed per slot of `slotMs`. */
  readonly slotBytes: number;
  readonly slotMs: number;
}

/**
 * Limits the bytes that all owners together process per time slot. Waiting owners take turns. In each turn, one piece passes: the bytes of
 * one call of `pass`.
 */
export class FairPace {
  readonly #slotBytes: number;
  readonly #slotMs: number;
  readonly #waiting = new FairQueue<Waiting>();
  #left: number;
  #isSlotOpen = false;
  #isLettingPass = false;

  constructor({ slotBytes, slotMs }: FairPaceOptions) {
    this.#slotBytes = slotBytes;
    this.#slotMs = slotMs;
    this.#left = slotBytes;
  }

  /** Resolves when the owner may process this number of bytes. Returns undefined if the owner does not have to wait. */
  pass(owner: string, bytes: number): Promise<void> | undefined {
    this.#openSlot();
    if (this.#left > 0 && this.#waiting.owners === 0) {
      this.#left -= bytes;
      return undefined;
    }
    return new Promise((begin) => this.#waiting.add(owner, { bytes, begin }));
  }

  #openSlot(): void {
    if (this.#isSlotOpen) return;
    this.#isSlotOpen = true;
    setTimeout(() => this.#endSlot(), this.#slotMs).unref();
  }

  #endSlot(): void {
    this.#isSlotOpen = false;
    // A piece can exceed the bytes left in a slot; the excess is deducted from the following slots.
    this.#left = Math.min(this.#slotBytes, this.#left + this.#slotBytes);
    if (!this.#isLettingPass) this.#letPass();
    if (this.#waiting.owners > 0 || this.#left < this.#slotBytes) this.#openSlot();
  }

  /** Lets one piece pass at a time, so that the piece's owner can queue another piece before the next owner's turn. */
  #letPass(): void {
    const next = this.#left > 0 ? this.#waiting.take() : undefined;
    this.#isLettingPass = next !== undefined;
    if (next === undefined) return;
    this.#left -= next.bytes;
    next.begin();
    setImmediate(() => this.#letPass());
  }
}
