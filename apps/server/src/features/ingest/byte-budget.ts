import { AppError } from '../../platform/http/errors.ts';

/** Senders are told to come again after this. */
const RETRY_AFTER_SECONDS = 2;

/** How many bytes of batches may be in memory at once. When they are used up senders wait, not the memory. */
export class ByteBudget {
  readonly #limit: number;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  /** A share that grows as a batch does and is given back whole. */
  open(): ByteShare {
    let taken = 0;
    return {
      take: (bytes) => {
        if (this.#used + bytes > this.#limit) {
          throw new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
        }
        taken += bytes;
        this.#used += bytes;
      },
      settle: (bytes) => {
        this.#used += bytes - taken;
        taken = bytes;
      },
    };
  }
}

export interface ByteShare {
  /** @throws AppError `overloaded` */
  take(bytes: number): void;
  /** What it comes to in the end, whatever was taken before; 0 gives all back. */
  settle(bytes: number): void;
}
