import { FairQueue } from './fair-queue.ts';

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

export interface FairPaceOptions {
  /** Bytes that pass in a slot of `slotMs`. */
  readonly slotBytes: number;
  readonly slotMs: number;
}

/** Lets bytes pass at a pace. Of those that wait, one piece of each owner in turn. */
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

  /** Resolves when so many bytes of the owner may pass; undefined where they may at once. */
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
    // A piece may be larger than what was left: the next slots pay for it.
    this.#left = Math.min(this.#slotBytes, this.#left + this.#slotBytes);
    if (!this.#isLettingPass) this.#letPass();
    if (this.#waiting.owners > 0 || this.#left < this.#slotBytes) this.#openSlot();
  }

  /** One piece at a time: who had it may queue up again before the next owner's turn. */
  #letPass(): void {
    const next = this.#left > 0 ? this.#waiting.take() : undefined;
    this.#isLettingPass = next !== undefined;
    if (next === undefined) return;
    this.#left -= next.bytes;
    next.begin();
    setImmediate(() => this.#letPass());
  }
}
