import { TRACE_LIMITS } from '@throughline/contract';
import { LRUCache } from 'lru-cache';
import type { TraceSize } from './settling-store.ts';

/** The last known size of a trace. Rows added since the last query are counted as distinct spans. */
interface KnownSize extends TraceSize {
  /** Time when the trace was last assembled. */
  readonly settledMs: number;
  /** False if the store can contain spans of the trace from before this server first received one. */
  readonly isCounted: boolean;
}

const MAX_SPANS = TRACE_LIMITS.traceSpans.max;
/**
 * Maximum number of rows of a trace: twice the number of spans, because a span that was sent again has two rows until ClickHouse merges
 * them.
 */
const MAX_ROWS = 2 * MAX_SPANS;
/** Above this number, the least recently used entries are removed. A trace with many spans is counted again when it is assembled. */
const MAX_TRACES = 200_000;

/** The spans of a trace are counted with a query before the trace reaches this number of spans. Few traces have that many spans. */
const MAX_UNCOUNTED = 1000;

const NONE: KnownSize = { rows: 0, spans: 0, settledMs: Number.NEGATIVE_INFINITY, isCounted: false };

/** Caches the sizes of traces with recent spans, by `formatKey`, so that spans above the limit are rejected without a query. */
export class TraceSizes {
  // Limited by `maxSize`, because `max` would allocate memory for all entries when the cache is created.
  readonly #sizes = new LRUCache<string, KnownSize>({ maxSize: MAX_TRACES, sizeCalculation: () => 1 });

  /** Returns how many more spans can be stored for the trace. */
  findRoom(name: string): number {
    const { rows, spans } = this.find(name);
    return Math.max(0, Math.min(MAX_SPANS - spans, MAX_ROWS - rows));
  }

  find(name: string): KnownSize {
    return this.#sizes.get(name) ?? NONE;
  }

  addSpans(name: string, count: number): void {
    const { rows, spans, ...known } = this.find(name);
    this.#sizes.set(name, { ...known, rows: rows + count, spans: spans + count });
  }

  /** Sets the size that a query returned. */
  setCounted(name: string, { rows, spans }: TraceSize, settledMs: number): void {
    this.#sizes.set(name, { rows, spans, settledMs, isCounted: true });
  }

  /** True if the trace must be counted before `more` spans are added. */
  mustCount(name: string, more: number): boolean {
    const { isCounted, rows } = this.find(name);
    return !isCounted && rows + more >= MAX_UNCOUNTED;
  }
}
