import { AppError } from '../../platform/http/errors.ts';

/** Senders are told to come again after this. */
const RETRY_AFTER_SECONDS = 2;

/**
 * An owner may hold this many times what is still free: one who floods gets two thirds, two get two fifths each, and some is always left for
 * whoever comes next (the dynamic thresholds of switches that share their memory among ports; Choudhury and Hahne, 1998).
 */
const TIMES_FREE = 2;

/** How many bytes of batches may be in memory at once. When they are used up senders wait, not the memory. */
export class ByteBudget {
  readonly #limit: number;
  readonly #usedBy = new Map<string, number>();
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  usedBy(owner: string): number {
    return this.#usedBy.get(owner) ?? 0;
  }

  /** A share that grows as a batch does and is given back whole. */
  open(owner: string): ByteShare {
    let taken = 0;
    const change = (bytes: number) => {
      taken += bytes;
      this.#used += bytes;
      const own = this.usedBy(owner) + bytes;
      if (own === 0) this.#usedBy.delete(owner);
      else this.#usedBy.set(owner, own);
    };
    return {
      owner,
      take: (bytes) => {
        const own = this.usedBy(owner);
        const free = this.#limit - this.#used;
        // What comes to nobody else's place may be as large as there is room, or else large batches could never be taken.
        if (bytes > free || (own > 0 && own + bytes > TIMES_FREE * free)) {
          throw new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
        }
        change(bytes);
      },
      settle: (bytes) => change(bytes - taken),
    };
  }
}

export interface ByteShare {
  readonly owner: string;
  /** @throws AppError `overloaded` */
  take(bytes: number): void;
  /** What it comes to in the end, whatever was taken before; 0 gives all back. */
  settle(bytes: number): void;
}
