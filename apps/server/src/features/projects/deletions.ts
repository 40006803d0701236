import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { ProjectId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import { findDeletions, forgetDeletions } from './store.ts';

/**
 * A batch that was accepted just before the deletion can still be on its way to the store, so traces are deleted a second time after this
 * time.
 */
const SETTLED_MS = 60_000;

/** Deletes the traces of deleted projects immediately, and a second time when no more of their traces can arrive. */
export interface Deletions {
  removeTraces(ids: readonly ProjectId[]): Promise<void>;
  /** Runs the second deletions that are due. Runs automatically every minute. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export function createDeletions(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly deleteTraces: (id: ProjectId) => Promise<void>;
}): Deletions {
  const { control, clock, log } = deps;
  const sweep = async () => {
    const settled = new Date(clock.now().getTime() - SETTLED_MS);
    for (const id of await findDeletions(control.db, settled)) {
      await deps.deleteTraces(id);
      await forgetDeletions(control.db, [id]);
    }
  };
  const job = startPeriodicJob({
    everyMs: SETTLED_MS,
    work: sweep,
    log,
    failure: 'the traces of deleted projects could not be deleted; the server will try again',
  });
  return {
    sweep: job.run,
    async removeTraces(ids) {
      for (const id of ids) {
        try {
          await deps.deleteTraces(id);
        } catch (err) {
          // Only logs the error: the project is already deleted, so nobody can see its traces, and a later sweep tries again.
          log.warn(
            { err, projectId: id },
            'the traces of a deleted project could not be deleted; the server will try again',
          );
        }
      }
    },
    close: job.close,
  };
}
