interface Requests extends Iterable<{ readonly recording: { readonly heldBytes: number } | null }> {
  readonly size: number;
}

/**
 * Limits for the memory of all requests in progress, in bytes. Above `valuesBelow`, new requests are recorded without values. Above
 * `recordedBelow`, new requests are not recorded.
 */
const valuesBelow = 64 * 1024 * 1024;
const recordedBelow = 2 * valuesBelow;
/** With fewer than this number of requests in progress, the requests' memory cannot reach the limits and is not computed. */
const fewRequests = 48;
/** Milliseconds for which the computed memory is reused, because computing visits each request in progress. */
const believedMs = 20;

/** Limits the memory of requests in progress, however many there are and however long they last. */
export class HeldMemory {
  #bytes = 0;
  #summedMs = Number.NEGATIVE_INFINITY;

  /** Returns how much of a new request can be recorded. `nowMs` is the monotonic time. */
  room(requests: Requests, nowMs: number): 'values' | 'structure' | 'none' {
    if (requests.size < fewRequests) return 'values';
    if (nowMs - this.#summedMs >= believedMs) {
      this.#summedMs = nowMs;
      this.#bytes = 0;
      for (const { recording } of requests) this.#bytes += recording?.heldBytes ?? 0;
    }
    if (this.#bytes < valuesBelow) return 'values';
    return this.#bytes < recordedBelow ? 'structure' : 'none';
  }
}
