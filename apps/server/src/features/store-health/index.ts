import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { checkTable, type DamagedPart, findDamagedParts } from './damaged-parts-store.ts';

export { checkTable, type DamagedPart, findDamagedParts } from './damaged-parts-store.ts';
export { watchReads } from './watch-reads.ts';

const CHECK_MS = 10 * 60_000;
/** Reading all parts to find the damaged ones takes at most this long per table. */
const SEARCH_SECONDS = 60;
/** Damage that a read met is searched for once in this time. */
const SEARCH_EVERY_MS = 10 * 60_000;
const TABLES = ['traces', 'steps', 'spans'] as const;

/** Detects stored traces that can no longer be read. Reports them in the log, by part name, in metrics, and in the dashboard's banner. */
export interface StoreHealth {
  /** Returns the damaged parts that the last check found. */
  damagedParts(): readonly DamagedPart[];
  /** Checks now. Runs automatically at the start and every ten minutes. */
  check(): Promise<void>;
  /** Called when a read failed because of damaged files: searches the parts that are still in use. */
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
  let searchedAt = Number.NEGATIVE_INFINITY;
  const reported = new Set<string>();
  metrics.gauge(
    'throughline_damaged_parts',
    'Unreadable parts of the trace store; their traces are missing from all answers.',
    () => damaged.length + inUse.length,
  );
  const check = async () => {
    damaged = await findDamagedParts(traces);
    if (inUse.length > 0) inUse = await findUnreadable(traces);
    report(
      damaged,
      'stored traces are damaged and in no answer: restore a backup, or repair the part and attach it again',
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
  let searching: Promise<void> = Promise.resolve();
  const search = async () => {
    inUse = await findUnreadable(traces);
    report(
      inUse,
      'stored traces are damaged, and requests that read them fail: restore a backup, or detach the part to go on without its traces',
    );
  };
  return {
    damagedParts: () => [...damaged, ...inUse],
    check: job.run,
    readFailed() {
      if (performance.now() - searchedAt < SEARCH_EVERY_MS) return;
      searchedAt = performance.now();
      searching = searching
        .then(search)
        .catch((err: unknown) =>
          log.error({ err }, 'a read met damaged traces; the damaged part is not known'),
        );
    },
    async close() {
      await job.close();
      await searching;
    },
  };
}

/** Finds damaged parts in use by reading all of them. */
async function findUnreadable(traces: TraceStore): Promise<DamagedPart[]> {
  const found: DamagedPart[] = [];
  for (const table of TABLES)
    for (const { part, why } of await checkTable(traces, table, SEARCH_SECONDS))
      found.push({ table, name: part, reason: why, path: part });
  return found;
}
