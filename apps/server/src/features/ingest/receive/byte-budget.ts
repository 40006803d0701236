import { AppError } from '../../../platform/http/errors.ts';

/** Senders receive this delay in the Retry-After header. */
const RETRY_AFTER_SECONDS = 2;

/**
 * An owner must not use more than this many times the bytes that are still free. If one owner floods the server, it gets two thirds and
 * leaves one third free; two such owners get two fifths each and leave one fifth. Network switches share their memory among ports by the
 * same rule (Choudhury and Hahne, 1998, dynamic thresholds).
 */
const TIMES_FREE = 2;

/** Limits the memory that batches use. When the limit is reached, batches are refused and senders must try again later. */
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

  /** Opens an owner's share of the memory for one batch. The share grows as the batch grows, and is released as a whole. */
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
        // An owner that uses no memory yet can use all free memory; otherwise large batches would never fit.
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
  /** Sets the share's final size, which replaces the bytes taken before. A size of 0 releases the share. */
  settle(bytes: number): void;
}
