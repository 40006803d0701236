import type { ProjectId } from '../../platform/ids.ts';
import { formatKey, type TraceKey } from './store.ts';
import type { TraceSizes } from './trace-sizes.ts';

/** Above this number, the trace that became full first is removed. Its further spans are decoded before they are rejected. */
const MAX_FULL = 10_000;

interface FullTrace {
  readonly key: TraceKey;
  countedMs: number;
}

/** Traces that have no room for more spans. The spans of these traces are rejected before they are decoded. */
export class FullTraces {
  readonly #traces = new Map<string, FullTrace>();
  readonly #toCount = new Map<string, FullTrace>();
  readonly #sizes: Pick<TraceSizes, 'findRoom'>;
  readonly #restMs: number;

  /** @param restMs the minimum time between two queries for the size of a full trace */
  constructor(sizes: Pick<TraceSizes, 'findRoom'>, restMs: number) {
    this.#sizes = sizes;
    this.#restMs = restMs;
  }

  /** Called when the size of a trace changed. */
  changed(key: TraceKey, nowMs: number): void {
    const name = formatKey(key);
    if (this.#sizes.findRoom(name) > 0) {
      this.#traces.delete(name);
      this.#toCount.delete(name);
      return;
    }
    if (this.#traces.has(name)) return;
    this.#traces.set(name, { key, countedMs: nowMs });
    const [first] = this.#traces.keys();
    if (this.#traces.size > MAX_FULL && first !== undefined) this.#traces.delete(first);
  }

  /** Returns the ids of a project's full traces. */
  idsOf(project: ProjectId): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const [name, { key }] of this.#traces)
      if (key.projectId === project && this.#sizes.findRoom(name) === 0) ids.add(key.traceId);
    return ids;
  }

  /** Called when spans of full traces were rejected. These traces are counted again, since some of their spans can have been deleted. */
  rejected(keys: readonly TraceKey[], nowMs: number): void {
    for (const key of keys) {
      const name = formatKey(key);
      const full = this.#traces.get(name);
      if (full !== undefined && nowMs - full.countedMs >= this.#restMs) this.#toCount.set(name, full);
    }
  }

  /** Takes the traces to count now, at most `max`. */
  takeDue(max: number, nowMs: number): TraceKey[] {
    const due = [...this.#toCount].slice(0, max);
    for (const [name, full] of due) {
      this.#toCount.delete(name);
      full.countedMs = nowMs;
    }
    return due.map(([, { key }]) => key);
  }
}
