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

/** Large traces that are read and sent at once, of all and of one reader. Fifty readers of 50 MB made others wait 3.5 times as long with six and four. */
const MAX_AT_ONCE = { server: 2, owner: 1 } as const;
/** A reader that has so many waiting is told to come again: reading 50 MB takes a second or two of a core. */
const MAX_WAITING_OF_OWNER = 5;
/** For how long a reader waits in line. */
const MAX_WAIT_MS = 60_000;
const RETRY_AFTER_SECONDS = 10;

interface Waiting {
  readonly owner: string;
  readonly enter: () => void;
}

/** The place of a large answer that is being made and sent; left once. */
export type LeavePlace = () => void;

/** Bounds how many large traces are read at once: further readers wait in line, and one reader never takes all places. */
export class LargeAnswers {
  readonly #waitMs: number;
  readonly #openOf = new OwnerCounts();
  readonly #waitingOf = new OwnerCounts();
  #open = 0;
  #waiting: Waiting[] = [];

  constructor(waitMs: number = MAX_WAIT_MS) {
    this.#waitMs = waitMs;
  }

  /** @throws AppError `overloaded` where no place becomes free in time, or this owner has many waiting */
  async enter(owner: string, waitMs: number = this.#waitMs): Promise<LeavePlace> {
    if (this.#waitingOf.of(owner) >= MAX_WAITING_OF_OWNER) throw overloaded();
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve(this.#take(owner));
      };
      const waiting: Waiting = { owner, enter };
      const timer = setTimeout(() => {
        this.#remove(waiting);
        reject(overloaded());
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
    while (this.#open < MAX_AT_ONCE.server) {
      const next = this.#waiting.find(({ owner }) => this.#openOf.of(owner) < MAX_AT_ONCE.owner);
      if (next === undefined) return;
      this.#remove(next);
      next.enter();
    }
  }
}

function overloaded(): AppError {
  return new AppError('overloaded', 'Many large traces are being read just now.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
