import type { RequestTrace } from './request-trace.ts';

/**
 * The requests that are recorded, from their arrival to their end, in no order. A `Map` or `Set` with as much coming and going makes a new table every few
 * dozen requests, and each old one points to the next: once one has grown old, all requests since outlive the collections of young objects, at 30 µs each.
 */
export class ActiveRequests implements Iterable<RequestTrace> {
  readonly #traces: RequestTrace[] = [];

  get size(): number {
    return this.#traces.length;
  }

  add(trace: RequestTrace): void {
    trace.place = this.#traces.push(trace) - 1;
  }

  /** Does nothing for one that is not among them. */
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

  /** As they are now: they may end meanwhile. */
  [Symbol.iterator](): Iterator<RequestTrace> {
    return this.#traces.slice().values();
  }
}
