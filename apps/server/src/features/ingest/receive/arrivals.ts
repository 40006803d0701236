import type { IncomingMessage } from 'node:http';
import { INGEST_LIMITS } from '@throughline/contract';
import { AppError } from '../../../platform/http/errors.ts';
import { FairPace } from '../../../platform/queues/fair-pace.ts';
import type { ByteBudget, ByteShare } from './byte-budget.ts';
import { overLimit } from './over-limit.ts';

/** A request's headers and its unread body. */
export interface SentMessage {
  readonly headers: IncomingMessage['headers'];
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<unknown>;
}

export interface Pace {
  /** For this long, a body can arrive at any pace. */
  readonly graceMs: number;
  /** After that, the body must have arrived at this average pace, in bytes a second. */
  readonly minBytesPerSecond: number;
  /** A body that takes longer than this can be refused to make memory available for others. */
  readonly slowAfterMs: number;
}

const PACE: Pace = { graceMs: 10_000, minBytesPerSecond: 16 * 1024, slowAfterMs: 3000 };
const RETRY_AFTER_SECONDS = 2;
/** Bytes beyond this size are read at the pace below. */
const UNPACED_BYTES = 1024 * 1024;
/** 50 MB a second. Reading and joining faster bodies would delay other requests. */
const LARGE_PACE = { slotBytes: 1024 * 1024, slotMs: 20 };

interface Arrival {
  readonly sinceMs: number;
  readonly share: ByteShare;
  /** Stops reading the body. */
  readonly refuse: (error: AppError) => void;
}

/**
 * Tracks the bodies that are arriving. Only received bytes are counted, not expected ones, so a slow sender holds only a socket. If memory runs
 * short, the body that has taken longest is refused.
 */
export class Arrivals {
  readonly #budget: Pick<ByteBudget, 'usedBy'>;
  readonly #pace: Pace;
  /** In the order in which they started. */
  readonly #all = new Set<Arrival>();
  readonly #largePace = new FairPace(LARGE_PACE);

  constructor(budget: Pick<ByteBudget, 'usedBy'>, pace = PACE) {
    this.#budget = budget;
    this.#pace = pace;
  }

  /**
   * Reads a body as it arrives; its share grows with each byte.
   * @throws AppError `payload_too_large`, `request_timeout`, `overloaded`, `invalid_json` if it was cut off
   */
  async read(message: SentMessage, share: ByteShare): Promise<Buffer> {
    const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
    // The reading loop handles the rejection. After the loop, nothing does, and that is fine.
    refused.catch(() => {});
    const arrival: Arrival = { sinceMs: performance.now(), share, refuse };
    const chunks: Buffer[] = [];
    let length = 0;
    const stopWatching = this.#watch(arrival, () => length);
    this.#all.add(arrival);
    // Keeps the socket open, so that a refusal can still be sent.
    const pieces = message.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await Promise.race([pieces.next(), refused]);
        if (done === true) return Buffer.concat(chunks);
        if (!Buffer.isBuffer(value)) throw new TypeError('a body arrived decoded');
        length += value.length;
        if (length > INGEST_LIMITS.packedBytes.max) throw overLimit('packedBytes');
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
      // Releases the message; its rest is dropped after a refusal.
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
          new AppError('overloaded', 'This request is slow, and other requests need its memory.', {
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          }),
        );
        if (slow === arrival) return;
      }
    }
  }

  /** Finds the oldest slow body whose owner holds at least as much memory as the owner that needs some. */
  #findSlow(needy: string): Arrival | undefined {
    const nowMs = performance.now();
    const held = this.#budget.usedBy(needy);
    for (const arrival of this.#all) {
      if (nowMs - arrival.sinceMs <= this.#pace.slowAfterMs) return undefined;
      if (this.#budget.usedBy(arrival.share.owner) >= held) return arrival;
    }
    return undefined;
  }

  /** Refuses the body when it falls behind the minimum pace. */
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
