import { type Batch, makeBatch } from './batch.ts';
import { BufferPool } from './buffer-pool.ts';
import { type PackedTrace, TraceQueue } from './queue.ts';

/** Bytes of JSON in one request: large enough to be worth one, small enough to be taken by any server at once. */
const BATCH_BYTES = 1024 * 1024;
/** While more than this waits, batches are larger: each takes the time of a way there and back. */
const BEHIND_BYTES = 4 * BATCH_BYTES;
const LARGE_BATCH_BYTES = 4 * BATCH_BYTES;
/** A batch in transit cannot shrink, so all such batches together leave most of the space free. */
const LARGE_BATCH_SHARE = 1 / 16;
/** Taking values out of so many bytes of JSON takes about 10 ms: the rest waits for the next trace. */
const DROPPED_AT_ONCE_BYTES = BATCH_BYTES;

/** All traces that are not yet delivered: waiting, in a batch that is to be sent again, or under way. */
export class ExportQueue {
  readonly #space = new BufferPool();
  readonly #queue = new TraceQueue();
  readonly #waiting: Batch[] = [];
  /** A few at most. */
  #underWay: Batch[] = [];
  #batchBytes = 0;
  readonly #largeBatchBytes: number;

  /** `limitBytes`: how much it is to hold at most. */
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

  /** True if a full batch, or one that failed before, is ready. */
  get hasFullBatch(): boolean {
    return this.#waiting.length > 0 || this.#queue.bytes >= BATCH_BYTES;
  }

  /** True if traces come faster than they are sent. */
  get isBehind(): boolean {
    return this.#queue.bytes > BEHIND_BYTES;
  }

  get hasAny(): boolean {
    return this.#waiting.length > 0 || this.#queue.size > 0;
  }

  /**
   * Copies the trace, JSON in UTF-8; `sequence` is its position among all that were ever handed in, `holdsValues` says whether it becomes smaller
   * without its values.
   */
  add(json: Uint8Array, sequence: number, holdsValues = false): void {
    this.#queue.add({ ...this.#space.place(json), sequence, holdsValues });
  }

  /**
   * Takes the values out of the oldest traces that wait, a few at a time, while all have more than `limitBytes`; `reduce` returns a trace without them.
   * Returns whether there are traces left that hold values.
   */
  dropValues(limitBytes: number, reduce: (json: Uint8Array) => Uint8Array): boolean {
    let trace = this.#queue.oldestWithValues;
    for (let read = 0; trace !== undefined && read < DROPPED_AT_ONCE_BYTES && this.bytes > limitBytes; ) {
      read += trace.json.length;
      const { sequence } = trace;
      this.#queue.replaceOldestWithValues({
        ...this.#space.place(reduce(trace.json)),
        sequence,
        holdsValues: false,
      });
      this.#space.release(trace);
      trace = this.#queue.oldestWithValues;
    }
    return trace !== undefined;
  }

  /** Gives up the oldest traces that are not under way until the rest has at most `limitBytes`; returns how many. */
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

  /** The next batch to send; it counts as under way until it is `settle`d. */
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

  /** The batch is done with; `next` is what takes its place: itself, its halves, or nothing. */
  settle(batch: Batch, next: readonly Batch[] = []): void {
    this.#underWay = this.#underWay.filter((one) => one !== batch);
    this.#batchBytes -= batch.bytes;
    if (next.length === 0) this.#release(batch.traces);
    for (const one of next) this.#batchBytes += one.bytes;
    this.#waiting.unshift(...next);
  }

  /** True if every trace up to `sequence` is sent or dropped. */
  isDoneUpTo(sequence: number): boolean {
    const oldest = (traces: readonly PackedTrace[]): boolean => (traces[0]?.sequence ?? Infinity) > sequence;
    return (
      (this.#queue.oldest?.sequence ?? Infinity) > sequence &&
      this.#waiting.every((batch) => oldest(batch.traces)) &&
      this.#underWay.every((batch) => oldest(batch.traces))
    );
  }

  /** Empties it, newest batches last: those under way too, whose answer nobody will hear. */
  takeAll(): Batch[] {
    const all = [...this.#underWay.splice(0), ...this.#waiting.splice(0)];
    for (let batch = this.#newBatch(); batch !== undefined; batch = this.#newBatch()) all.push(batch);
    this.#batchBytes = 0;
    return all;
  }
}
