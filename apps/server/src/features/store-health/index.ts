import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type DamagedPart, findDamagedParts } from './damaged-parts-store.ts';

export { checkTable, type DamagedPart, findDamagedParts } from './damaged-parts-store.ts';

const CHECK_MS = 10 * 60_000;

/** Detects stored traces that can no longer be read. Reports them in the log, by part name, in metrics, and in the dashboard's banner. */
export interface StoreHealth {
  /** Returns the damaged parts that the last check found. */
  damagedParts(): readonly DamagedPart[];
  /** Checks now. Runs automatically at the start and every ten minutes. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export function createStoreHealth(deps: {
  readonly traces: TraceStore;
  readonly log: Logger;
  readonly metrics: Metrics;
}): StoreHealth {
  const { traces, log, metrics } = deps;
  let damaged: readonly DamagedPart[] = [];
  const reported = new Set<string>();
  metrics.gauge(
    'throughline_damaged_parts',
    'Unreadable parts of the trace store; their traces are missing from all answers.',
    () => damaged.length,
  );
  const check = async () => {
    damaged = await findDamagedParts(traces);
    for (const { table, name, reason, path } of damaged) {
      if (reported.has(path)) continue;
      reported.add(path);
      log.error(
        { table, part: name, reason, path },
        'stored traces are damaged and in no answer: restore a backup, or repair the part and attach it again',
      );
    }
  };
  const job = startPeriodicJob({
    everyMs: CHECK_MS,
    firstMs: 0,
    work: check,
    log,
    failure: 'the trace store could not be searched for damage',
  });
  return { damagedParts: () => damaged, check: job.run, close: job.close };
}
