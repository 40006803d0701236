import { TRACE_LIMITS } from '@throughline/contract';
import type { TraceSize } from './settling-store.ts';

/** What this server knows of a trace's spans. Rows that were added since the store was asked last count as different spans. */
interface KnownSize extends TraceSize {
  /** When it was settled last. */
  readonly settledMs: number;
  /** False where the store may have more of it, stored before this server knew of it. */
  readonly isCounted: boolean;
}

const MAX_SPANS = TRACE_LIMITS.traceSpans.max;
/** Spans that were sent again, until merges have folded them. */
const MAX_ROWS = 2 * MAX_SPANS;
/** Those that were touched longest ago are forgotten: a trace with many spans is counted again when it is settled. */
const MAX_TRACES = 200_000;

/** From so many spans on, a trace of which the store may have more is counted before it gets them: few traces have as many. */
const MAX_UNCOUNTED = 1000;

const NONE: KnownSize = { rows: 0, spans: 0, settledMs: Number.NEGATIVE_INFINITY, isCounted: false };

/** The sizes of traces that spans came of lately, by `keyText`: spans over the limit are rejected without asking the store. */
export class TraceSizes {
  readonly #sizes = new Map<string, KnownSize>();

  /** How many more spans it may get. */
  room(name: string): number {
    const { rows, spans } = this.of(name);
    return Math.max(0, Math.min(MAX_SPANS - spans, MAX_ROWS - rows));
  }

  of(name: string): KnownSize {
    return this.#sizes.get(name) ?? NONE;
  }

  added(name: string, count: number): void {
    const { rows, spans, ...known } = this.of(name);
    this.#set(name, { ...known, rows: rows + count, spans: spans + count });
  }

  /** The store was asked. */
  counted(name: string, { rows, spans }: TraceSize, settledMs: number): void {
    this.#set(name, { rows, spans, settledMs, isCounted: true });
  }

  /** Whether the store is to be asked before it gets so many more. */
  mustCount(name: string, more: number): boolean {
    const { isCounted, rows } = this.of(name);
    return !isCounted && rows + more >= MAX_UNCOUNTED;
  }

  #set(name: string, size: KnownSize): void {
    this.#sizes.delete(name);
    this.#sizes.set(name, size);
    if (this.#sizes.size <= MAX_TRACES) return;
    const [oldest] = this.#sizes.keys();
    if (oldest !== undefined) this.#sizes.delete(oldest);
  }
}
