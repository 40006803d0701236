import { TRACE_LIMITS } from '@throughline/contract';
import type { ProjectId } from '../../platform/ids.ts';
import type { SpanAllowances } from './span-allowances.ts';
import { formatKey, type TraceKey } from './store.ts';
import type { TraceSizes } from './trace-sizes.ts';

export interface QueueTimes {
  /** Time from the last span of a trace until the trace is assembled. */
  readonly quietMs: number;
  /** Time from the first span of a distributed trace until its topmost span becomes a request, if none of its spans is a request. */
  readonly promoteAfterMs: number;
}

/**
 * A trace that waits to be assembled: the rows of its requests are corrected or, if the trace has no request, its topmost span becomes the
 * request.
 */
export interface WaitingTrace {
  readonly key: TraceKey;
  readonly name: string;
  readonly firstMs: number;
  readonly dueMs: number;
}

/** A trace that never stops getting spans is assembled after this many quiet periods. */
const MAX_QUIET_TIMES = 10;
/** Pause per span before a trace is assembled again, so that a trace with 100,000 spans is assembled at most every ten seconds. */
const REST_MS_PER_SPAN = 0.1;
/**
 * If a project has more waiting traces than this, the oldest ones are assembled immediately and get their requests, until this number is
 * left.
 */
const CROWDED = TRACE_LIMITS.openTraces.max / 2;

/**
 * Queues the traces that wait to be assembled. Projects take turns after each trace. Spans are read at a limited rate per project and per
 * trace, no matter how often a trace gets more spans.
 */
export class SettleQueue {
  /** The waiting traces of each project by `formatKey`, oldest first. */
  readonly #projects = new Map<ProjectId, Map<string, WaitingTrace>>();
  readonly #sizes: TraceSizes;
  readonly #allowances: SpanAllowances;
  readonly #times: QueueTimes;

  constructor(sizes: TraceSizes, allowances: SpanAllowances, times: QueueTimes) {
    this.#sizes = sizes;
    this.#allowances = allowances;
    this.#times = times;
  }

  get isEmpty(): boolean {
    return this.#projects.size === 0;
  }

  /** True if the queue can take this trace in addition to `more` others of the project, or already contains it. */
  admits({ projectId, traceId }: TraceKey, more = 0): boolean {
    const traces = this.#projects.get(projectId);
    if (traces === undefined) return more < TRACE_LIMITS.openTraces.max;
    return traces.size + more < TRACE_LIMITS.openTraces.max || traces.has(formatKey({ projectId, traceId }));
  }

  touched(key: TraceKey, nowMs: number): void {
    const name = formatKey(key);
    const { quietMs } = this.#times;
    const { spans, settledMs } = this.#sizes.find(name);
    const waiting = this.#projects.get(key.projectId)?.get(name);
    const restedMs = settledMs + spans * REST_MS_PER_SPAN;
    const latestMs = Math.max(waiting?.firstMs ?? nowMs, settledMs) + MAX_QUIET_TIMES * quietMs;
    const dueMs = Math.max(restedMs, Math.min(nowMs + quietMs, latestMs));
    this.#put({ key, name, firstMs: waiting?.firstMs ?? nowMs, dueMs });
  }

  /** Queues a trace that needs no work until it is time to make its request. */
  open(key: TraceKey, firstMs: number): void {
    const dueMs = firstMs + this.#times.promoteAfterMs;
    this.#put({ key, name: formatKey(key), firstMs, dueMs });
  }

  #put(trace: WaitingTrace): void {
    const { projectId } = trace.key;
    const known = this.#projects.get(projectId);
    if (known === undefined) this.#projects.set(projectId, new Map([[trace.name, trace]]));
    else known.set(trace.name, trace);
  }

  /** Moves a trace to a later time after assembling it failed, so that other traces come first. */
  postponed(trace: WaitingTrace, nowMs: number): void {
    const traces = this.#projects.get(trace.key.projectId);
    if (traces?.get(trace.name) !== trace) return;
    traces.set(trace.name, { ...trace, dueMs: nowMs + MAX_QUIET_TIMES * this.#times.quietMs });
  }

  /**
   * Removes an assembled trace. If the trace still has no request (`isOpen`), queues it until its request is made. Does nothing if the
   * trace got spans in the meantime.
   */
  settled(trace: WaitingTrace, { isOpen }: { readonly isOpen: boolean }): void {
    const traces = this.#projects.get(trace.key.projectId);
    if (traces?.get(trace.name) !== trace) return;
    if (isOpen) this.open(trace.key, trace.firstMs);
    else traces.delete(trace.name);
    if (traces.size === 0) this.#projects.delete(trace.key.projectId);
  }

  /** True if a trace without a request gets a request now: its topmost span becomes the request. */
  isPromoted({ firstMs }: WaitingTrace, nowMs: number, isCrowded: boolean): boolean {
    return isCrowded || nowMs - firstMs >= this.#times.promoteAfterMs;
  }

  /** Returns the traces to assemble now: one of each project in turn, until the project's allowance is used up. */
  due(nowMs: number): readonly { readonly trace: WaitingTrace; readonly isCrowded: boolean }[] {
    this.#allowances.refill(nowMs);
    const queues = [...this.#projects].map(([projectId, traces]) => this.#dueOf(projectId, traces, nowMs));
    const due: { trace: WaitingTrace; isCrowded: boolean }[] = [];
    for (let open = queues; open.length > 0; ) {
      open = open.filter((queue) => {
        const next = queue.next();
        if (next.done === true) return false;
        due.push(next.value);
        return true;
      });
    }
    return due;
  }

  *#dueOf(project: ProjectId, traces: ReadonlyMap<string, WaitingTrace>, nowMs: number) {
    let crowding = traces.size - CROWDED;
    for (const trace of traces.values()) {
      if (!this.#allowances.isLeft(project)) return;
      const isCrowded = crowding > 0;
      crowding -= 1;
      if (!isCrowded && trace.dueMs > nowMs) continue;
      this.#allowances.charge(project, this.#sizes.find(trace.name).spans);
      yield { trace, isCrowded };
    }
  }
}
