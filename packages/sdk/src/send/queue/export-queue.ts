import { type Batch, makeBatch } from './batch.ts';
import { BufferPool } from './buffer-pool.ts';
import { type PackedTrace, TraceQueue } from './queue.ts';

/** Bytes of JSON per request: enough to justify a request, and small enough for any server to accept. */
const BATCH_BYTES = 1024 * 1024;
/** Number of queued bytes above which batches are larger, because each batch costs a round trip. */
const BEHIND_BYTES = 4 * BATCH_BYTES;
const LARGE_BATCH_BYTES = 4 * BATCH_BYTES;
/**
 * Maximum share of the queue's limit for one batch. A batch in flight cannot be shortened, so all batches in flight together must leave
 * most of the limit free.
 */
const LARGE_BATCH_SHARE = 1 / 16;
/**
 * Approximate number of bytes of JSON from which values are removed at a time, which takes about 10 ms. More values are removed when the
 * next trace arrives.
 */
const DROPPED_AT_ONCE_BYTES = BATCH_BYTES;
/** Maximum size of a trace that is sent again without its values. Removing the values of 6 MB would block the host for 134 ms. */
const MAX_REDUCED_BYTES = 1024 * 1024;

/** All traces that are not delivered yet. They are queued, in a batch that waits to be sent again, or in a batch in flight. */
export class ExportQueue {
  readonly #space = new BufferPool();
  readonly #queue = new TraceQueue();
  readonly #waiting: Batch[] = [];
  /** Batches in flight. A few at most. */
  #underWay: Batch[] = [];
  #batchBytes = 0;
  readonly #largeBatchBytes: number;

  /** `limitBytes` is the limit for the whole queue. */
  constructor(limitBytes = 16 * BATCH_BYTES) {
    const largest = Math.min(LARGE_BATCH_BYTES, limitBytes * LARGE_BATCH_SHARE);
    this.#largeBatchBytes = Math.max(BATCH_BYTES, largest);
  }

  get bytes(): number {
    return this.#queue.bytes + this.#batchBytes;
  }

  get underWay(): number {
    return this.#underWay.length;
  }

  get isEmpty(): boolean {
    return this.#queue.size === 0 && this.#waiting.length === 0 && this.#underWay.length === 0;
  }

  isUnderWay(batch: Batch): boolean {
    return this.#underWay.includes(batch);
  }

  /** True if a batch can be sent without waiting for more traces: a full batch, or a batch that failed earlier. */
  get hasFullBatch(): boolean {
    return this.#waiting.length > 0 || this.#queue.bytes >= BATCH_BYTES;
  }

  /** True if traces arrive faster than they are sent. */
  get isBehind(): boolean {
    return this.#queue.bytes > BEHIND_BYTES;
  }

  get hasAny(): boolean {
    return this.#waiting.length > 0 || this.#queue.size > 0;
  }

  /**
   * Copies a trace (UTF-8 JSON) into the queue. `sequence` is the trace's number among all traces that were ever queued. `holdsValues` is
   * true if dropping the trace's values makes the trace smaller.
   */
  add(json: Uint8Array, sequence: number, holdsValues = false): void {
    this.#queue.add({ ...this.#space.place(json), sequence, holdsValues });
  }

  /**
   * Drops the values of the oldest queued traces until the queue does not exceed `limitBytes`. Each call reads at most about {@link
   * DROPPED_AT_ONCE_BYTES} of traces. `reduce` returns a trace without its values. Returns true if any queued trace still has values.
   */
  dropValues(limitBytes: number, reduce: (json: Uint8Array) => Uint8Array): boolean {
    let trace = this.#queue.oldestWithValues;
    for (let read = 0; trace !== undefined && read < DROPPED_AT_ONCE_BYTES && this.bytes > limitBytes; ) {
      read += trace.json.length;
      this.#queue.replaceOldestWithValues(this.#reduce(trace, reduce));
      trace = this.#queue.oldestWithValues;
    }
    return trace !== undefined;
  }

  /**
   * Drops the values of the only trace of a batch in flight. Returns a batch with a new idempotency key, which the caller must pass to
   * {@link settle} in place of `batch`. Returns undefined if the batch has several traces. Also returns undefined if its trace has no
   * values or is too large to be reduced here.
   */
  dropBatchValues(batch: Batch, reduce: (json: Uint8Array) => Uint8Array): Batch | undefined {
    const [trace] = batch.traces;
    if (batch.traces.length !== 1 || trace?.holdsValues !== true) return undefined;
    if (trace.json.length > MAX_REDUCED_BYTES) return undefined;
    return makeBatch([this.#reduce(trace, reduce)]);
  }

  /** Returns a copy of the trace without its values, and releases the trace. */
  #reduce(trace: PackedTrace, reduce: (json: Uint8Array) => Uint8Array): PackedTrace {
    const placed = this.#space.place(reduce(trace.json));
    this.#space.release(trace);
    return { ...placed, sequence: trace.sequence, holdsValues: false };
  }

  /** Drops the oldest traces that are not in flight until the queue does not exceed `limitBytes`. Returns the number of dropped traces. */
  shrinkTo(limitBytes: number): number {
    let lost = 0;
    while (this.bytes > limitBytes) {
      const batch = this.#waiting.shift();
      if (batch !== undefined) {
        this.#batchBytes -= batch.bytes;
        this.#release(batch.traces);
        lost += batch.traces.length;
        continue;
      }
      const trace = this.#queue.shift();
      if (trace === undefined) break;
      this.#space.release(trace);
      lost++;
    }
    return lost;
  }

  /** Takes the next batch to send. The batch counts as in flight until `settle` is called. */
  take(): Batch | undefined {
    const waiting = this.#waiting.shift();
    const batch = waiting ?? this.#newBatch();
    if (batch !== undefined) this.#underWay.push(batch);
    return batch;
  }

  #newBatch(): Batch | undefined {
    const traces = this.#queue.takeUpTo(this.isBehind ? this.#largeBatchBytes : BATCH_BYTES);
    if (traces.length === 0) return undefined;
    const batch = makeBatch(traces);
    this.#batchBytes += batch.bytes;
    return batch;
  }

  #release(traces: readonly PackedTrace[]): void {
    for (const trace of traces) this.#space.release(trace);
  }

  /** Removes a batch that is no longer in flight. `next` replaces it: the same batch, its halves, the batch without values, or nothing. */
  settle(batch: Batch, next: readonly Batch[] = []): void {
    this.#underWay = this.#underWay.filter((one) => one !== batch);
    this.#batchBytes -= batch.bytes;
    if (next.length === 0) this.#release(batch.traces);
    for (const one of next) this.#batchBytes += one.bytes;
    this.#waiting.unshift(...next);
  }

  /** True if all traces with numbers up to `sequence` were sent or dropped. */
  isDoneUpTo(sequence: number): boolean {
    const oldest = (traces: readonly PackedTrace[]): boolean => (traces[0]?.sequence ?? Infinity) > sequence;
    return (
      (this.#queue.oldest?.sequence ?? Infinity) > sequence &&
      this.#waiting.every((batch) => oldest(batch.traces)) &&
      this.#underWay.every((batch) => oldest(batch.traces))
    );
  }

  /**
   * Removes all traces and returns them in batches, the newest last. Includes batches in flight, whose responses are ignored from then on.
   */
  takeAll(): Batch[] {
    const all = [...this.#underWay.splice(0), ...this.#waiting.splice(0)];
    for (let batch = this.#newBatch(); batch !== undefined; batch = this.#newBatch()) all.push(batch);
    this.#batchBytes = 0;
    return all;
  }
}
