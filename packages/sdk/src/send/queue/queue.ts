import type { Placed } from './buffer-pool.ts';

/** A trace waiting to be sent. */
export interface PackedTrace extends Placed {
  /** Position among all that were ever handed in. */
  readonly sequence: number;
  /** True if the trace holds values, which can be dropped. */
  readonly holdsValues: boolean;
}

/** Traces waiting to be put into a batch, oldest first. */
export class TraceQueue {
  /** Places before the head are empty. */
  #traces: (PackedTrace | undefined)[] = [];
  #head = 0;
  #bytes = 0;
  /** No trace before this place holds values. */
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

  /** The oldest trace that holds values. */
  get oldestWithValues(): PackedTrace | undefined {
    let at = Math.max(this.#valuesFrom, this.#head);
    while (at < this.#traces.length && this.#traces[at]?.holdsValues !== true) at++;
    this.#valuesFrom = at;
    return this.#traces[at];
  }

  /** Puts `trace` in the place of {@link oldestWithValues}. */
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

  /** Takes the oldest trace away. */
  shift(): PackedTrace | undefined {
    const trace = this.#traces[this.#head];
    if (trace === undefined) return undefined;
    // At once: a thousand of them could hold as many megabytes.
    this.#traces[this.#head] = undefined;
    this.#head++;
    this.#bytes -= trace.json.length;
    // The places are let go in large parts, not at each step.
    if (this.#head > 1000 || this.#head === this.#traces.length) {
      this.#traces = this.#traces.slice(this.#head);
      this.#valuesFrom = Math.max(0, this.#valuesFrom - this.#head);
      this.#head = 0;
    }
    return trace;
  }

  /** Takes the oldest traces away that together have at most `maxBytes`; at least one, if there is any. */
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
