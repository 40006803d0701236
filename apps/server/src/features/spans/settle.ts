import type { ProjectId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import type { SpanLink } from './assemble.ts';
import { correctRequests, MAX_SEARCHED_SPANS, type SizedTrace } from './correct-requests.ts';
import { FullTraces } from './full-traces.ts';
import { type MakeRequestsDeps, makeRequests } from './make-requests.ts';
import { type RequestReservations, ReservedTraces } from './reserved-traces.ts';
import { type QueueTimes, SettleQueue, type WaitingTrace } from './settle-queue.ts';
import { findRecent, findSizes, type TraceSize } from './settling-store.ts';
import { SpanAllowances } from './span-allowances.ts';
import { formatKey, type TraceKey } from './store.ts';
import { TraceSizes } from './trace-sizes.ts';

export type SettleOptions = QueueTimes;

export interface SettleDeps extends MakeRequestsDeps {
  readonly store: TraceStore;
  readonly log: Logger;
  readonly reservations: RequestReservations;
}

/**
 * Assembles traces again after late spans: corrects step counts and search data of requests, and makes a request for a trace that got none.
 * The queue is only in memory; after a crash it is rebuilt from the most recently stored spans.
 */
export interface Settling extends SpanLimits {
  /** Queues traces of which spans were stored, because the step data in their requests' rows can now be wrong. */
  touched(keys: readonly TraceKey[]): void;
  /** Does all due work. */
  run(): Promise<void>;
  close(): Promise<void>;
}

/** Limits the spans per trace and the open traces per project: see `TRACE_LIMITS`. */
export interface SpanLimits {
  /** Returns how many more spans can be stored for a trace. */
  room(key: TraceKey): number;
  /** True if the project can have another open trace, in addition to `more` traces that arrive with it. */
  admits(key: TraceKey, more: number): boolean;
  /** Returns how many spans of the trace are known to be stored. */
  sizeOf(key: TraceKey): number;
  added(key: TraceKey, spans: number): void;
  /** Returns the ids of a project's traces that are known to have the maximum number of spans. */
  fullTraces(project: ProjectId): ReadonlySet<string>;
  /** Notes that spans of these full traces were rejected, so that the stored spans of the traces are counted again. */
  rejected(keys: readonly TraceKey[]): void;
  /** Queries the number of stored spans for traces that get many spans and that this server has not counted yet. */
  count(store: Pick<TraceStore, 'rowsForWriter'>, arriving: readonly Arriving[]): Promise<void>;
}

/** The number of spans of a trace that are about to be stored. */
export interface Arriving {
  readonly key: TraceKey;
  readonly spans: number;
}

const RECENT = { minutes: 10, limit: 100_000, searchedSpans: MAX_SEARCHED_SPANS, manySpans: 1000 } as const;
/** Maximum numbers of traces whose sizes are queried, and of spans that are read, at a time. */
const TRACES_AT_ONCE = 500;
const SPANS_AT_ONCE = 20_000;
/** Maximum number of full traces whose spans are counted at a time. */
const FULL_AT_ONCE = 20;
/** If spans of a full trace are rejected, its stored spans are counted again after this many quiet periods. */
const RECOUNT_QUIET_TIMES = 7;
/** The longest pause after a unit of work. */
const MAX_REST_MS = 500;

/** OpenTelemetry exporters send every few seconds, so the spans of one request arrive within about a minute. */
const USUAL: SettleOptions = { quietMs: 1500, promoteAfterMs: 60_000 };

export function createSettling(deps: SettleDeps, options: SettleOptions = USUAL): Settling {
  // Reads through a separate queue of the store, so that inserts and readers do not wait for this work.
  const store: TraceStore = {
    ...deps.store,
    rowsForWriter: deps.store.rowsBeside,
    command: deps.store.commandBeside,
  };
  const reserved = new ReservedTraces(deps.reservations);
  const sizes = new TraceSizes();
  const allowances = new SpanAllowances();
  const full = new FullTraces(sizes, allowances, RECOUNT_QUIET_TIMES * options.quietMs);
  const queue = new SettleQueue(sizes, allowances, options);

  const setCounted = (key: TraceKey, size: TraceSize, settledMs: number) => {
    sizes.setCounted(formatKey(key), size, settledMs);
    full.changed(key, performance.now());
  };

  const touched = (keys: readonly TraceKey[]) => {
    const nowMs = performance.now();
    for (const key of keys) queue.touched(key, nowMs);
  };

  const settleSome = async (some: readonly Due[]) => {
    const open = await correctRequests({ store, changing: deps.changing }, some);
    const nowMs = performance.now();
    const promoted = some.filter(
      ({ trace, isCrowded }) => open.has(trace.name) && queue.isPromoted(trace, nowMs, isCrowded),
    );
    const made = await makeRequests(deps, reserved, promoted.map(withLinks(open)));
    // A trace that is no longer open has a request, or its spans were deleted. It is unknown here whether the reserved request was stored;
    // the stored rows with the reservation's id show it.
    for (const { trace } of some) if (!open.has(trace.name)) reserved.end(trace.name, false);
    const leaving = new Set<WaitingTrace>(promoted.map(({ trace }) => trace));
    for (const { trace, size } of some) {
      setCounted(trace.key, size, nowMs);
      queue.settled(trace, { isOpen: open.has(trace.name) && !leaving.has(trace) });
    }
    // The new requests are queued again, because their rows have no attributes yet.
    touched(made);
  };

  const countAgain = async (from: Pick<TraceStore, 'rowsForWriter'>, keys: readonly TraceKey[]) => {
    for (let at = 0; at < keys.length; at += TRACES_AT_ONCE) {
      const some = keys.slice(at, at + TRACES_AT_ONCE);
      const stored = await findSizes(from, some);
      for (const key of some) {
        const name = formatKey(key);
        setCounted(key, stored.get(name) ?? { rows: 0, spans: 0 }, sizes.find(name).settledMs);
      }
    }
  };

  const countFull = async (keys: readonly TraceKey[], closing: AbortSignal) => {
    for (const key of keys) {
      if (closing.aborted) return;
      const startMs = performance.now();
      await countAgain(store, [key]).catch((err: unknown) =>
        deps.log.warn(
          { err, traceId: key.traceId },
          'the spans of a full trace could not be counted; the server will try again when more of its spans arrive',
        ),
      );
      await pauseAfter(performance.now() - startMs);
    }
  };

  const assembleDue = async (closing: AbortSignal) => {
    const due = queue.due(performance.now());
    for (let from = 0; from < due.length && !closing.aborted; from += TRACES_AT_ONCE) {
      const some = due.slice(from, from + TRACES_AT_ONCE);
      const stored = await findSizes(
        store,
        some.map(({ trace }) => trace.key),
      );
      const sized = some.map(({ trace, isCrowded }): Due => {
        const size = stored.get(trace.name) ?? { rows: 0, spans: 0, metadataBytes: 0 };
        return { key: trace.key, trace, isCrowded, size };
      });
      for (const part of splitTraces(sized)) {
        if (closing.aborted) return;
        const startMs = performance.now();
        await settleSome(part).catch((error: unknown) => {
          for (const { trace } of part) queue.postponed(trace, performance.now());
          throw error;
        });
        await pauseAfter(performance.now() - startMs);
      }
    }
  };

  const settle = async (closing: AbortSignal) => {
    try {
      await assembleDue(closing);
    } finally {
      // The spans of full traces are counted last, within the allowances that are left after traces were assembled, so that counting never
      // delays a request. They are counted even if assembling failed, because one trace that cannot be assembled can fail in every run.
      await countFull(full.takeDue(FULL_AT_ONCE, performance.now()), closing);
    }
  };

  const recovered = findRecent(deps.store, RECENT).then(
    (found) => {
      const nowMs = performance.now();
      for (const { key, size, state } of found) {
        setCounted(key, size, Number.NEGATIVE_INFINITY);
        if (state === 'wrong') queue.touched(key, nowMs);
        else if (state === 'open') queue.open(key, nowMs);
      }
    },
    (err: unknown) => {
      deps.log.warn(
        { err },
        'spans that were stored before the server started could not be read; their requests can have a wrong number of steps',
      );
    },
  );
  const job = startPeriodicJob({
    everyMs: options.quietMs,
    work: settle,
    log: deps.log,
    failure: 'late spans could not be added to their requests; the server will try again',
  });
  return {
    touched,
    run: job.trigger,
    room: (key) => sizes.findRoom(formatKey(key)),
    admits: (key, more) => queue.admits(key, more),
    sizeOf: (key) => sizes.find(formatKey(key)).spans,
    added(key, spans) {
      sizes.addSpans(formatKey(key), spans);
      full.changed(key, performance.now());
    },
    fullTraces: (project) => full.idsOf(project),
    rejected: (keys) => full.rejected(keys, performance.now()),
    async count(from, arriving) {
      const byName = Map.groupBy(arriving, ({ key }) => formatKey(key));
      const keys = [...byName].flatMap(([name, [first, ...others]]) => {
        if (first === undefined) return [];
        const spans = others.reduce((sum, other) => sum + other.spans, first.spans);
        return sizes.mustCount(name, spans) ? [first.key] : [];
      });
      await countAgain(from, keys);
    },
    async close() {
      await job.close();
      await recovered;
      reserved.endAll();
    },
  };
}

interface Due extends SizedTrace {
  readonly trace: WaitingTrace;
  readonly isCrowded: boolean;
}

const withLinks =
  (open: ReadonlyMap<string, readonly SpanLink[]>) =>
  ({ trace }: Due) => ({ key: trace.key, links: open.get(trace.name) ?? [] });

/** Groups consecutive traces with few spans. A trace with many spans is a group of its own. */
function splitTraces(traces: readonly Due[]): Due[][] {
  const parts: Due[][] = [];
  let room = 0;
  for (const trace of traces) {
    const { rows } = trace.size;
    const part = parts.at(-1);
    if (part !== undefined && rows <= room) part.push(trace);
    else {
      parts.push([trace]);
      room = SPANS_AT_ONCE;
    }
    room -= rows;
  }
  return parts;
}

/** Pauses as long as the work took, at most MAX_REST_MS, which leaves time for other work. */
function pauseAfter(workedMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(workedMs, MAX_REST_MS)));
}
