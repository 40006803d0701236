import { AppError } from '../../platform/http/errors.ts';
import { OwnerCounts } from '../../platform/owner-counts.ts';
import { isResultTooLarge } from '../../platform/trace-store/index.ts';

/** What is read in one piece, without waiting in line. */
export const MAX_SMALL_BYTES = 4 * 1024 * 1024;

/** Undefined where a result is too large to be had in one piece. */
export async function unlessTooLarge<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isResultTooLarge(error)) return undefined;
    throw error;
  }
}

/** How much is read and sent at once, of all and of one reader, and how many of a reader wait in line. */
interface Bounds {
  readonly server: number;
  readonly owner: number;
  /** A reader with so many waiting is told to come again. */
  readonly waiting: number;
  readonly waitMs: number;
  /** The reason that the reader is told. */
  readonly reason: string;
}

/** Large traces: fifty readers of 50 MB made others wait 3.5 times as long with six and four at once, and each takes a second or two of a core. */
export const LARGE_TRACES: Bounds = {
  server: 2,
  owner: 1,
  waiting: 5,
  waitMs: 60_000,
  reason: 'Too many large traces are being read at the moment.',
};
/** Exports: one of 9,900 traces takes three seconds of a core, and lasts as long as its reader is slow. */
export const EXPORTS: Bounds = {
  server: 16,
  owner: 2,
  waiting: 2,
  waitMs: 60_000,
  reason: 'Too many exports are running at the moment.',
};
const RETRY_AFTER_SECONDS = 10;

interface Waiting {
  readonly owner: string;
  readonly enter: () => void;
}

/** The place of an answer that is being made and sent; left once. */
export type LeavePlace = () => void;

/** Bounds how much is read at once: further readers wait in line, and one reader never takes all places. */
export class ReadingPlaces {
  readonly #bounds: Bounds;
  readonly #openOf = new OwnerCounts();
  readonly #waitingOf = new OwnerCounts();
  #open = 0;
  #waiting: Waiting[] = [];

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** @throws AppError `overloaded` where no place becomes free in time, or this owner has many waiting */
  async enter(owner: string, waitMs: number = this.#bounds.waitMs): Promise<LeavePlace> {
    if (this.#waitingOf.of(owner) >= this.#bounds.waiting) throw overloaded(this.#bounds.reason);
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve(this.#take(owner));
      };
      const waiting: Waiting = { owner, enter };
      const timer = setTimeout(() => {
        this.#remove(waiting);
        reject(overloaded(this.#bounds.reason));
      }, waitMs);
      this.#waiting.push(waiting);
      this.#waitingOf.add(owner);
      this.#admit();
    });
  }

  #remove(waiting: Waiting): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
    this.#waitingOf.remove(waiting.owner);
  }

  #take(owner: string): LeavePlace {
    this.#open += 1;
    this.#openOf.add(owner);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.#open -= 1;
      this.#openOf.remove(owner);
      this.#admit();
    };
  }

  #admit(): void {
    while (this.#open < this.#bounds.server) {
      const next = this.#waiting.find(({ owner }) => this.#openOf.of(owner) < this.#bounds.owner);
      if (next === undefined) return;
      this.#remove(next);
      next.enter();
    }
  }
}

function overloaded(reason: string): AppError {
  return new AppError('overloaded', reason, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
