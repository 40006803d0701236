import type { IncomingMessage } from 'node:http';
import { INGEST_LIMITS } from '@throughline/contract';
import { FairPace } from '../../platform/fair-pace.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { ByteBudget, ByteShare } from './byte-budget.ts';
import { overLimit } from './over-limit.ts';

/** A request's headers and its body, still to be read. */
export interface SentMessage {
  readonly headers: IncomingMessage['headers'];
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<unknown>;
}

export interface Pace {
  /** For so long a body may arrive at any pace. */
  readonly graceMs: number;
  /** From then on it must have come at this pace since its beginning, as bytes a second. */
  readonly minBytesPerSecond: number;
  /** One that takes longer gives way where others find no room. */
  readonly slowAfterMs: number;
}

const PACE: Pace = { graceMs: 10_000, minBytesPerSecond: 16 * 1024, slowAfterMs: 3000 };
const RETRY_AFTER_SECONDS = 2;
/** The bytes of a body beyond this arrive at the pace below. */
const UNPACED_BYTES = 1024 * 1024;
/** 50 MB a second: faster ones, and putting them together, would hold up other requests. */
const LARGE_PACE = { slotBytes: 1024 * 1024, slotMs: 20 };

interface Arrival {
  readonly sinceMs: number;
  readonly share: ByteShare;
  /** Ends the reading. */
  readonly refuse: (error: AppError) => void;
}

/**
 * The bodies that are arriving. What has come of them is in memory, and nothing is set aside for what has not: one who trickles holds a socket. Where
 * room is short, the body that has taken longest gives way.
 */
export class Arrivals {
  readonly #budget: Pick<ByteBudget, 'usedBy'>;
  readonly #pace: Pace;
  /** In the order in which they began. */
  readonly #all = new Set<Arrival>();
  readonly #largePace = new FairPace(LARGE_PACE);

  constructor(budget: Pick<ByteBudget, 'usedBy'>, pace = PACE) {
    this.#budget = budget;
    this.#pace = pace;
  }

  /**
   * Reads a body as it travels. The share grows with each byte of it.
   * @throws AppError `payload_too_large`, `request_timeout`, `overloaded`, `invalid_json` where it was cut off
   */
  async read(message: SentMessage, share: ByteShare): Promise<Buffer> {
    const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
    // Whoever reads hears it; where reading is over, nobody has to.
    refused.catch(() => {});
    const arrival: Arrival = { sinceMs: performance.now(), share, refuse };
    const chunks: Buffer[] = [];
    let length = 0;
    const stopWatching = this.#watch(arrival, () => length);
    this.#all.add(arrival);
    // A refusal in between must still find a socket to be sent on.
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
      // Lets go of the message, whose rest is dropped after a refusal.
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
          new AppError('overloaded', 'Other requests need the memory of this slow one.', {
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          }),
        );
        if (slow === arrival) return;
      }
    }
  }

  /** Of the bodies that have taken long the first whose owner holds no less than the one who needs room. */
  #findSlow(needy: string): Arrival | undefined {
    const nowMs = performance.now();
    const held = this.#budget.usedBy(needy);
    for (const arrival of this.#all) {
      if (nowMs - arrival.sinceMs <= this.#pace.slowAfterMs) return undefined;
      if (this.#budget.usedBy(arrival.share.owner) >= held) return arrival;
    }
    return undefined;
  }

  /** Refuses the arrival when it falls behind the pace. */
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
