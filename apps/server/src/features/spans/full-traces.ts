import { TRACE_LIMITS } from '@throughline/contract';
import type { ProjectId } from '../../platform/ids.ts';
import type { SpanAllowances } from './span-allowances.ts';
import { formatKey, type TraceKey } from './store.ts';
import type { TraceSizes } from './trace-sizes.ts';

/**
 * Maximum number of full traces that are known per project. Above this number, the trace that became full first is forgotten: its further
 * spans are decoded before they are rejected.
 */
const MAX_FULL_OF_PROJECT = 1000;
/** Maximum number of full traces that are known for all projects together. */
const MAX_FULL = 10_000;

interface FullTrace {
  readonly key: TraceKey;
  countedMs: number;
}

/** A project's full traces by `formatKey`, and the keys of the full traces that must be counted again. */
interface FullOfProject {
  readonly traces: Map<string, FullTrace>;
  readonly toCount: Set<string>;
}

/**
 * Traces that have no room for more spans. The spans of these traces are rejected before they are decoded. Each project has its own map, so
 * that a request takes no longer if other projects have many full traces.
 */
export class FullTraces {
  readonly #projects = new Map<ProjectId, FullOfProject>();
  /** The traces of all projects, in the order in which they became full. */
  readonly #keys = new Map<string, TraceKey>();
  readonly #sizes: Pick<TraceSizes, 'find' | 'findRoom'>;
  readonly #allowances: SpanAllowances;
  readonly #restMs: number;

  /** @param restMs the minimum time between two queries for the size of a full trace */
  constructor(sizes: Pick<TraceSizes, 'find' | 'findRoom'>, allowances: SpanAllowances, restMs: number) {
    this.#sizes = sizes;
    this.#allowances = allowances;
    this.#restMs = restMs;
  }

  changed(key: TraceKey, nowMs: number): void {
    const name = formatKey(key);
    if (this.#sizes.findRoom(name) > 0) this.#remove(name);
    else if (!this.#keys.has(name)) this.#add(name, key, nowMs);
  }

  #add(name: string, key: TraceKey, nowMs: number): void {
    const { projectId } = key;
    const known = this.#projects.get(projectId);
    const { traces } = known ?? { traces: new Map<string, FullTrace>() };
    if (known === undefined) this.#projects.set(projectId, { traces, toCount: new Set() });
    traces.set(name, { key, countedMs: nowMs });
    this.#keys.set(name, key);
    if (traces.size > MAX_FULL_OF_PROJECT) this.#removeFirst(traces);
    if (this.#keys.size > MAX_FULL) this.#removeFirst(this.#keys);
  }

  #removeFirst(traces: ReadonlyMap<string, unknown>): void {
    const [first] = traces.keys();
    if (first !== undefined) this.#remove(first);
  }

  #remove(name: string): void {
    const key = this.#keys.get(name);
    const full = key === undefined ? undefined : this.#projects.get(key.projectId);
    if (key === undefined || full === undefined) return;
    this.#keys.delete(name);
    full.toCount.delete(name);
    full.traces.delete(name);
    if (full.traces.size === 0) this.#projects.delete(key.projectId);
  }

  idsOf(project: ProjectId): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const [name, { key }] of this.#projects.get(project)?.traces ?? [])
      if (this.#sizes.findRoom(name) === 0) ids.add(key.traceId);
    return ids;
  }

  /**
   * Notes that spans of full traces were rejected. A trace whose last count is at least `#restMs` old is then queued to be counted again,
   * since some of its spans could have been deleted after that count.
   */
  rejected(keys: readonly TraceKey[], nowMs: number): void {
    for (const key of keys) {
      const name = formatKey(key);
      const { traces, toCount } = this.#projects.get(key.projectId) ?? {};
      const full = traces?.get(name);
      if (full !== undefined && nowMs - full.countedMs >= this.#restMs) toCount?.add(name);
    }
  }

  /**
   * Takes the traces to count now: one of each project that has an allowance left, at most `max`. Counting a full trace reads all of its
   * spans. The number of these spans is subtracted from the project's allowance.
   */
  takeDue(max: number, nowMs: number): TraceKey[] {
    const due: TraceKey[] = [];
    for (const [project, full] of [...this.#projects]) {
      if (due.length === max) break;
      const [name] = full.toCount;
      const trace = name === undefined ? undefined : full.traces.get(name);
      if (name === undefined || trace === undefined || !this.#allowances.isLeft(project)) continue;
      full.toCount.delete(name);
      trace.countedMs = nowMs;
      // Moves the project to the end of the map, so that the other projects come first the next time.
      this.#projects.delete(project);
      this.#projects.set(project, full);
      this.#allowances.charge(project, Math.max(this.#sizes.find(name).rows, TRACE_LIMITS.traceSpans.max));
      due.push(trace.key);
    }
    return due;
  }
}
