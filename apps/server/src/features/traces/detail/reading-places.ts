import { AppError } from '../../../platform/http/errors.ts';
import { OwnerCounts } from '../../../platform/queues/owner-counts.ts';
import { isResultTooLarge } from '../../../platform/trace-store/index.ts';

/** Answers up to this size are read in one piece, without waiting in line. */
export const MAX_SMALL_BYTES = 4 * 1024 * 1024;

/** Returns undefined if the result is too large to be read in one piece. */
export async function unlessTooLarge<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isResultTooLarge(error)) return undefined;
    throw error;
  }
}

/** Limits on concurrent reads, for the server and per reader, and on the reads of one reader that wait. */
interface Bounds {
  readonly server: number;
  readonly owner: number;
  /** Further reads of a reader with this many waiting are refused. */
  readonly waiting: number;
  readonly waitMs: number;
  /** The reason in the refusal. */
  readonly reason: string;
}

/**
 * Limits for large traces. With six and four at a time, fifty readers of 50 MB made others wait 3.5 times as long; each read takes a core for a
 * second or two.
 */
export const LARGE_TRACES: Bounds = {
  server: 2,
  owner: 1,
  waiting: 5,
  waitMs: 60_000,
  reason: 'Too many large traces are being read at the moment.',
};
/** Limits for exports: one of 9,900 traces takes a core for three seconds, and lasts as long as its reader is slow. */
export const EXPORTS: Bounds = {
  server: 16,
  owner: 2,
  waiting: 2,
  waitMs: 60_000,
  reason: 'Too many exports are running at the moment.',
};
/** Limits for statements about a trace: each opened trace asks for them, and a failed one reads up to five others of 1 MB. */
export const DIAGNOSES: Bounds = {
  server: 4,
  owner: 2,
  waiting: 10,
  waitMs: 10_000,
  reason: 'Too many traces are being read at the moment.',
};
const RETRY_AFTER_SECONDS = 10;

interface Waiting {
  readonly owner: string;
  readonly enter: () => void;
}

/** Releases the place of an answer; further calls have no effect. */
export type LeavePlace = () => void;

/** Limits concurrent reads: further readers wait in line, and a single reader never takes all places. */
export class ReadingPlaces {
  readonly #bounds: Bounds;
  readonly #openOf = new OwnerCounts();
  readonly #waitingOf = new OwnerCounts();
  #open = 0;
  #waiting: Waiting[] = [];

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** @throws AppError `overloaded` if no place becomes free in time, or this owner has too many waiting */
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
