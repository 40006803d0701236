import type { IncomingMessage } from 'node:http';
import { INGEST_LIMITS } from '@throughline/contract';
import { AppError } from '../../../platform/http/errors.ts';
import { FairPace } from '../../../platform/queues/fair-pace.ts';
import type { ByteBudget, ByteShare } from './byte-budget.ts';
import { buildLimitError } from './over-limit.ts';

/** A request's headers and its unread body. */
export interface SentMessage {
  readonly headers: IncomingMessage['headers'];
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<unknown>;
}

export interface Pace {
  /** No minimum pace applies until a body has been arriving for this long. */
  readonly graceMs: number;
  /** After the grace period, the body's average pace must be at least this many bytes a second. */
  readonly minBytesPerSecond: number;
  /** A body that has been arriving for longer than this can be refused to make memory available for others. */
  readonly slowAfterMs: number;
}

const PACE: Pace = { graceMs: 10_000, minBytesPerSecond: 16 * 1024, slowAfterMs: 3000 };
const RETRY_AFTER_SECONDS = 2;
/** The bytes of a body beyond this size are read at the pace `LARGE_PACE`. */
const UNPACED_BYTES = 1024 * 1024;
/** The pace is 50 MB a second. Reading and joining bodies faster would delay other requests. */
const LARGE_PACE = { slotBytes: 1024 * 1024, slotMs: 20 };

interface Arrival {
  readonly sinceMs: number;
  readonly share: ByteShare;
  /** Stops reading the body. */
  readonly refuse: (error: AppError) => void;
}

/**
 * Tracks the bodies that are arriving. Counts only received bytes, not announced bytes, so a slow sender occupies only a socket. If memory
 * runs short, refuses the oldest slow body of an owner that uses at least as much memory as the owner that needs memory. Without such a
 * body, refuses the body that needs memory.
 */
export class Arrivals {
  readonly #budget: Pick<ByteBudget, 'usedBy'>;
  readonly #pace: Pace;
  /** The arriving bodies, in the order in which they started to arrive. */
  readonly #all = new Set<Arrival>();
  readonly #largePace = new FairPace(LARGE_PACE);

  constructor(budget: Pick<ByteBudget, 'usedBy'>, pace = PACE) {
    this.#budget = budget;
    this.#pace = pace;
  }

  /**
   * Reads a body as it arrives. The body's share of memory grows with each chunk.
   * @throws AppError `payload_too_large`, `request_timeout`, `overloaded`, `invalid_json` if the body was cut off
   */
  async read(message: SentMessage, share: ByteShare): Promise<Buffer> {
    const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
    // Prevents an unhandled rejection after the reading loop has ended. Inside the loop, Promise.race handles the rejection.
    refused.catch(() => {});
    const arrival: Arrival = { sinceMs: performance.now(), share, refuse };
    const chunks: Buffer[] = [];
    let length = 0;
    const stopWatching = this.#watch(arrival, () => length);
    this.#all.add(arrival);
    // Keeps the socket open, so that an error response can still be sent.
    const pieces = message.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await Promise.race([pieces.next(), refused]);
        if (done === true) return Buffer.concat(chunks);
        if (!Buffer.isBuffer(value)) throw new TypeError('the body consists of strings instead of bytes');
        length += value.length;
        if (length > INGEST_LIMITS.packedBytes.max) throw buildLimitError('packedBytes');
        this.#take(value.length, arrival);
        chunks.push(value);
        if (length > UNPACED_BYTES) {
          const wait = this.#largePace.pass(share.owner, value.length);
          if (wait !== undefined) await Promise.race([wait, refused]);
        }
      }
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError('invalid_json', 'The body is incomplete.', { cause });
    } finally {
      this.#all.delete(arrival);
      stopWatching();
      // Releases the message. After a refusal, the rest of the message is dropped.
      pieces.return?.().catch(() => {});
    }
  }

  #take(bytes: number, arrival: Arrival): void {
    for (;;) {
      try {
        arrival.share.take(bytes);
        return;
      } catch (error) {
        const slow = this.#findSlow(arrival.share.owner);
        if (slow === undefined) throw error;
        this.#all.delete(slow);
        slow.share.settle(0);
        slow.refuse(
          new AppError(
            'overloaded',
            'This request arrives slowly and was ended, because other requests need the memory.',
            {
              retryAfterSeconds: RETRY_AFTER_SECONDS,
            },
          ),
        );
        if (slow === arrival) return;
      }
    }
  }

  /** Finds the oldest slow body whose owner uses at least as much memory as the owner that needs memory. */
  #findSlow(needy: string): Arrival | undefined {
    const nowMs = performance.now();
    const held = this.#budget.usedBy(needy);
    for (const arrival of this.#all) {
      if (nowMs - arrival.sinceMs <= this.#pace.slowAfterMs) return undefined;
      if (this.#budget.usedBy(arrival.share.owner) >= held) return arrival;
    }
    return undefined;
  }

  /** Refuses the body if it falls behind the minimum pace. Returns a function that ends this check. */
  #watch(arrival: Arrival, lengthSoFar: () => number): () => void {
    const { graceMs, minBytesPerSecond } = this.#pace;
    let timer: NodeJS.Timeout | undefined;
    const watch = () => {
      const allowedMs = graceMs + (lengthSoFar() / minBytesPerSecond) * 1000;
      const leftMs = arrival.sinceMs + allowedMs - performance.now();
      if (leftMs > 0) timer = setTimeout(watch, leftMs);
      else {
        arrival.refuse(
          new AppError('request_timeout', `Send at least ${minBytesPerSecond / 1024} kB a second.`),
        );
      }
    };
    watch();
    return () => clearTimeout(timer);
  }
}
