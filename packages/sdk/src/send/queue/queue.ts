import type { Placed } from './buffer-pool.ts';

/** A trace waiting to be sent. */
export interface PackedTrace extends Placed {
  /** Number among all traces that were ever queued. */
  readonly sequence: number;
  /** True if the trace contains values that can be dropped. */
  readonly holdsValues: boolean;
}

/** Traces that are not in a batch yet, oldest first. */
export class TraceQueue {
  /** The queued traces. Entries before `#head` are empty. */
  #traces: (PackedTrace | undefined)[] = [];
  #head = 0;
  #bytes = 0;
  /** Index at which the search for a trace with values begins. All earlier traces are without values. */
  #valuesFrom = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#traces.length - this.#head;
  }

  get oldest(): PackedTrace | undefined {
    return this.#traces[this.#head];
  }

  get oldestWithValues(): PackedTrace | undefined {
    let at = Math.max(this.#valuesFrom, this.#head);
    while (at < this.#traces.length && this.#traces[at]?.holdsValues !== true) at++;
    this.#valuesFrom = at;
    return this.#traces[at];
  }

  /** Replaces {@link oldestWithValues} with `trace`. */
  replaceOldestWithValues(trace: PackedTrace): void {
    const before = this.oldestWithValues;
    if (before === undefined) return;
    this.#traces[this.#valuesFrom] = trace;
    this.#bytes += trace.json.length - before.json.length;
  }

  add(trace: PackedTrace): void {
    this.#traces.push(trace);
    this.#bytes += trace.json.length;
  }

  /** Removes and returns the oldest trace. */
  shift(): PackedTrace | undefined {
    const trace = this.#traces[this.#head];
    if (trace === undefined) return undefined;
    // Releases the entry immediately, because a thousand traces can hold a thousand megabytes.
    this.#traces[this.#head] = undefined;
    this.#head++;
    this.#bytes -= trace.json.length;
    // Empty entries are removed many at a time, because removing each one would be slow.
    if (this.#head > 1000 || this.#head === this.#traces.length) {
      this.#traces = this.#traces.slice(this.#head);
      this.#valuesFrom = Math.max(0, this.#valuesFrom - this.#head);
      this.#head = 0;
    }
    return trace;
  }

  /** Removes and returns the oldest traces with at most `maxBytes` together, but at least one trace if there is any. */
  takeUpTo(maxBytes: number): PackedTrace[] {
    const taken: PackedTrace[] = [];
    let bytes = 0;
    for (let next = this.oldest; next !== undefined; next = this.oldest) {
      if (taken.length > 0 && bytes + next.json.length > maxBytes) break;
      bytes += next.json.length;
      taken.push(next);
      this.shift();
    }
    return taken;
  }
}
