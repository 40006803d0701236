import type { Received } from '@throughline/testkit/collector';

/**
 * Number of requests without a 200 response that stay in the list, because they can still get such a response. A sender has only a few
 * pending requests, so older requests get no response any more.
 */
const unanswered = 50;

/** Counts the distinct traces of `/total` in requests that the collector answered with 200. */
export class Tally {
  readonly #ids = new Set<string>();
  #lost = 0;

  /**
   * Counts the traces in requests that were answered with 200, and removes these requests from the list. Of the other requests, the latest
   * stay in the list for the next call.
   */
  add(received: Received[]): void {
    const open = received.filter((one) => !one.stored).slice(-unanswered);
    for (const { posted } of received.filter(({ isTraces, stored }) => isTraces && stored)) {
      this.#lost += posted.lost?.traces ?? 0;
      for (const { _id, request } of posted.traces) if (request.path === '/total') this.#ids.add(_id);
    }
    received.splice(0, received.length, ...open);
  }

  get stored(): number {
    return this.#ids.size;
  }

  /** Number of traces that the SDK dropped, by its own count. */
  get lost(): number {
    return this.#lost;
  }
}
