interface Requests extends Iterable<{ readonly recording: { readonly heldBytes: number } | null }> {
  readonly size: number;
}

/** The memory of all requests in progress above which new ones are recorded without values, and above which they are not recorded. Bytes. */
const valuesBelow = 64 * 1024 * 1024;
const recordedBelow = 2 * valuesBelow;
/** So few can never hold as much: the sum is not asked for. */
const fewRequests = 48;
/** How long a sum is believed: making it takes a look at each request under way. Milliseconds. */
const believedMs = 20;

/** Watches what the requests under way hold in memory, however many there are and however long they stay. */
export class HeldMemory {
  #bytes = 0;
  #summedMs = Number.NEGATIVE_INFINITY;

  /** How much a request that comes now may have recorded. `nowMs` is monotonic. */
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
