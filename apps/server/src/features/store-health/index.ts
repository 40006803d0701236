import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { checkTable, type DamagedPart, findDamagedParts } from './damaged-parts-store.ts';

export { checkTable, type DamagedPart, findDamagedParts } from './damaged-parts-store.ts';
export { watchReads } from './watch-reads.ts';

const CHECK_MS = 10 * 60_000;
/** Time limit per table for reading all parts to find the damaged ones. */
const SEARCH_SECONDS = 60;
const TABLES = ['traces', 'steps', 'spans'] as const;

/**
 * Detects stored traces that can no longer be read. Reports the damaged parts in the log, by name, in metrics, and in the dashboard's
 * banner.
 */
export interface StoreHealth {
  /** Returns the damaged parts that the last check found. */
  damagedParts(): readonly DamagedPart[];
  /** Checks now. Runs automatically when the server starts and every ten minutes. */
  check(): Promise<void>;
  /** Called when a read failed because of damaged files. Searches the parts in use for damage, at most every ten minutes. */
  readFailed(): void;
  close(): Promise<void>;
}

export function createStoreHealth(deps: {
  readonly traces: TraceStore;
  readonly log: Logger;
  readonly metrics: Metrics;
}): StoreHealth {
  const { traces, log, metrics } = deps;
  let damaged: readonly DamagedPart[] = [];
  /** Damaged parts that are still in use, so that each read of them fails. */
  let inUse: readonly DamagedPart[] = [];
  /** True if a read failed and no search has shown yet that the parts in use are undamaged. */
  let isSuspect = false;
  let suspectedAt = Number.NEGATIVE_INFINITY;
  const reported = new Set<string>();
  metrics.gauge(
    'throughline_damaged_parts',
    'Unreadable parts of the trace store; their traces are missing from all responses.',
    () => damaged.length + inUse.length,
  );
  const check = async () => {
    damaged = await findDamagedParts(traces);
    report(
      damaged,
      'stored traces are damaged and in no answer: restore a backup, or repair the part and attach it again',
    );
    if (!isSuspect) return;
    inUse = await findUnreadable(traces);
    isSuspect = inUse.length > 0;
    report(
      inUse,
      'stored traces are damaged, and requests that read them fail: restore a backup, or detach the part to go on without its traces',
    );
  };
  const report = (parts: readonly DamagedPart[], message: string) => {
    for (const { table, name, reason, path } of parts) {
      if (reported.has(path)) continue;
      reported.add(path);
      log.error({ table, part: name, reason, path }, message);
    }
  };
  const job = startPeriodicJob({
    everyMs: CHECK_MS,
    firstMs: 0,
    work: check,
    log,
    failure: 'the trace store could not be searched for damage',
  });
  return {
    damagedParts: () => [...damaged, ...inUse],
    check: job.run,
    readFailed() {
      if (isSuspect || performance.now() - suspectedAt < CHECK_MS) return;
      isSuspect = true;
      suspectedAt = performance.now();
      void job.trigger();
    },
    close: job.close,
  };
}

/** Finds damaged parts by reading all parts in use. */
async function findUnreadable(traces: TraceStore): Promise<DamagedPart[]> {
  const found: DamagedPart[] = [];
  for (const table of TABLES)
    for (const { part, why } of await checkTable(traces, table, SEARCH_SECONDS))
      found.push({ table, name: part, reason: why, path: part });
  return found;
}
