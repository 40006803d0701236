import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { readDiskSpace } from '../../platform/disks/disk.ts';
import type { Logger } from '../../platform/log.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type Rollups, toHourFromMs } from '../rollups/index.ts';
import { computeDeletionCutoff, SWEEP_MS } from './cutoff.ts';
import { createDeletionClock } from './deletion-clock.ts';
import { createDiskBudget } from './disk-budget.ts';
import { deleteBefore, findOldest, findRetentions, noteRetentions } from './store.ts';

export { findBytes } from './disk-budget-store.ts';

const MINUTE_MS = 60_000;
/** Interval between checks of the disk budget: longer than the eight minutes after which ClickHouse removes dropped parts from disk. */
const DISK_MS = 10 * MINUTE_MS;
/** Interval between readings of the clock. If a server stops, at most this much of its running time is not counted. */
const OBSERVE_MS = 10 * MINUTE_MS;
/** Delay before the first run, so that a starting server can serve requests first. */
const FIRST_MS = MINUTE_MS;

/** Deletes traces that have expired or that exceed the disk budget. */
export interface Retention {
  /**
   * Deletes traces that expired at least a day ago. Uses the trusted time, a clock reading that a day of uptime has confirmed, so that a
   * wrong clock deletes nothing. Runs automatically every six hours, which is enough because expired traces are already hidden.
   */
  sweep(): Promise<void>;
  /** Evicts traces if the disk budget is exceeded. Runs automatically every ten minutes. */
  keepDiskBudget(): Promise<void>;
  /** Returns the time since which traces have been evicted to free disk space; null if none were evicted in the last 24 hours. */
  diskFullSince(): Promise<Date | null>;
  /** Returns how far the clock is ahead of the trusted time; null if it is at most a day ahead. */
  clockAheadMs(): number | null;
  /** Runs `task` with each sweep. The task receives the sweep's trusted time. */
  onSweep(task: (now: Date) => Promise<void>): void;
  close(): Promise<void>;
}

export function createRetention(deps: {
  readonly control: ControlStore;
  readonly traces: TraceStore;
  readonly rollups: Pick<Rollups, 'changing' | 'forget'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly maxBytes: number | undefined;
  /** The store's folder if it is on a disk of this machine; otherwise undefined. */
  readonly folder: string | undefined;
  /** True if other servers can use the same control store, which is the case with PostgreSQL. */
  readonly shared: boolean;
}): Retention {
  const { control, traces, rollups, log, folder } = deps;
  const time = createDeletionClock(deps);
  const budget = createDiskBudget({
    ...deps,
    space: folder === undefined ? undefined : () => readDiskSpace(folder),
  });
  let running: Promise<unknown> = Promise.resolve();
  /** Runs sweeps and evictions one after the other, because both delete from the same tables. */
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    const turn = running.then(task);
    running = turn.catch(() => {});
    return turn;
  };

  const tasks: ((now: Date) => Promise<void>)[] = [];
  const sweep = async () => {
    const now = await time.observe();
    if (now === undefined) return;
    for (const task of tasks) await task(now);
    const current = await findRetentions(control.db, now);
    const seen = await noteRetentions(control.db, current, now);
    const oldest = await findOldest(traces);
    for (const { projectId, hours } of current) {
      const cutoff = computeDeletionCutoff(seen.get(projectId) ?? [], hours, now);
      if ((oldest.get(projectId) ?? Number.POSITIVE_INFINITY) >= cutoff.getTime()) continue;
      const hour = toHourFromMs(cutoff.getTime());
      const deleted = await rollups.changing([{ projectId, hour }]);
      await deleteBefore(traces, projectId, cutoff).finally(deleted);
      await rollups.forget(projectId, hour);
    }
  };

  const observe = async () => void (await time.observe());
  const jobs = [
    { task: sweep, name: 'deleting expired traces', everyMs: SWEEP_MS, firstMs: FIRST_MS },
    { task: observe, name: 'observing the clock', everyMs: OBSERVE_MS },
    { task: budget.keep, name: 'freeing space on the disk', everyMs: DISK_MS, firstMs: FIRST_MS },
  ].map(({ task, name, ...times }) =>
    startPeriodicJob({
      ...times,
      work: () => inTurn(task),
      log,
      failure: `${name} failed; the server will try again`,
    }),
  );
  return {
    sweep: () => inTurn(sweep),
    keepDiskBudget: () => inTurn(budget.keep),
    diskFullSince: budget.fullSince,
    clockAheadMs: time.aheadMs,
    onSweep: (task) => void tasks.push(task),
    async close() {
      await Promise.all(jobs.map((job) => job.close()));
      await running;
    },
  };
}
