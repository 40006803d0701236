import { AppError } from '../../../platform/http/errors.ts';
import { OwnerCounts } from '../../../platform/queues/owner-counts.ts';
import { isResultTooLarge } from '../../../platform/trace-store/index.ts';

/** Responses up to this size are read in one piece and do not wait in the queue for large reads. */
export const MAX_SMALL_BYTES = 4 * 1024 * 1024;

/** Returns undefined if the result is too large to be read in one piece. */
export async function readUnlessTooLarge<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isResultTooLarge(error)) return undefined;
    throw error;
  }
}

/** Limits on concurrent reads, for the whole server and per owner (a reader or a project), and on an owner's waiting reads. */
interface Bounds {
  readonly server: number;
  readonly owner: number;
  /** Maximum number of waiting reads per owner. Further reads are rejected. */
  readonly waiting: number;
  readonly waitMs: number;
  /** Message of the error if a read is rejected. */
  readonly reason: string;
}

/**
 * Limits for large traces, each of which takes a core for a second or two. With limits of six for the server and four per reader, fifty
 * readers of 50 MB traces made other requests take 3.5 times as long.
 */
export const LARGE_TRACES: Bounds = {
  server: 2,
  owner: 1,
  waiting: 5,
  waitMs: 60_000,
  reason: 'Too many large traces are being read at the moment.',
};
/** Limits for exports. An export of 9,900 traces takes a core for three seconds, and lasts longer if the client reads slowly. */
export const EXPORTS: Bounds = {
  server: 16,
  owner: 2,
  waiting: 2,
  waitMs: 60_000,
  reason: 'Too many exports are running at the moment.',
};
/**
 * Limits for value origins, and for what stands out in a trace. The dashboard requests what stands out in each trace that a user opens, and
 * the server compares the trace with up to nine successful traces of up to 1 MB. The owner of such an analysis is the project, because the
 * members of one project could otherwise use all concurrent reads for slow analyses.
 */
export const DIAGNOSES: Bounds = {
  server: 4,
  owner: 2,
  waiting: 10,
  waitMs: 10_000,
  reason: 'Too many traces are being read at the moment.',
};
/**
 * Limits for searches in small traces. One such search takes up to 50 ms of CPU time. With fifty searches at once, other requests took four
 * times as long.
 */
export const SEARCHES: Bounds = {
  server: 4,
  owner: 1,
  waiting: 200,
  waitMs: 30_000,
  reason: 'Too many traces are being searched at the moment.',
};
const RETRY_AFTER_SECONDS = 10;

interface Waiting {
  readonly owner: string;
  readonly enter: () => void;
}

/** Ends a concurrent read, so that the next read can begin. Further calls have no effect. */
export type LeavePlace = () => void;

/** Limits concurrent reads. Further reads wait in a queue, and a single owner can never use all concurrent reads. */
export class ReadingPlaces {
  readonly #bounds: Bounds;
  readonly #openOf = new OwnerCounts();
  readonly #waitingOf = new OwnerCounts();
  #open = 0;
  #waiting: Waiting[] = [];

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /**
   * Resolves when the owner can begin a read. Call the returned function when the read ends.
   * @throws AppError `overloaded` if no read ends in time, or if this owner already has too many waiting reads
   */
  async enter(owner: string, waitMs: number = this.#bounds.waitMs): Promise<LeavePlace> {
    if (this.#waitingOf.of(owner) >= this.#bounds.waiting) throw buildOverloadedError(this.#bounds.reason);
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve(this.#take(owner));
      };
      const waiting: Waiting = { owner, enter };
      const timer = setTimeout(() => {
        this.#remove(waiting);
        reject(buildOverloadedError(this.#bounds.reason));
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

function buildOverloadedError(reason: string): AppError {
  return new AppError('overloaded', reason, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
