import type { RequestTrace } from './request-trace.ts';

/**
 * A list of requests in progress, unordered. Not a `Map` or `Set`: with one insertion and one deletion per request, they allocate a new
 * table every few dozen requests, and each old table points to the next. Once one of these tables is in the old generation, all later
 * requests survive young-generation collections, which takes 30 µs per request.
 */
export class ActiveRequests implements Iterable<RequestTrace> {
  readonly #traces: RequestTrace[] = [];

  get size(): number {
    return this.#traces.length;
  }

  add(trace: RequestTrace): void {
    trace.place = this.#traces.push(trace) - 1;
  }

  /** Does nothing if the trace is not in the list. */
  delete(trace: RequestTrace): void {
    const { place } = trace;
    if (this.#traces[place] !== trace) return;
    const last = this.#traces.pop();
    if (last === undefined || last === trace) return;
    this.#traces[place] = last;
    last.place = place;
  }

  clear(): void {
    this.#traces.length = 0;
  }

  /** Iterates over a copy, because requests can end during the loop. */
  [Symbol.iterator](): Iterator<RequestTrace> {
    return this.#traces.slice().values();
  }
}
