import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { ProjectId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { findDeletions, forgetDeletions } from './store.ts';

/** A batch that was accepted just before may still be on its way to the store: traces are removed a second time after this. */
const SETTLED_MS = 60_000;

/** Removes the traces of deleted projects: at once, and once more when nothing of theirs can arrive any longer. */
export interface Deletions {
  removeTraces(ids: readonly ProjectId[]): Promise<void>;
  /** The second time, for those that are due; goes by itself, every minute. */
  sweep(): Promise<void>;
  close(): void;
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
  const timer = setInterval(() => {
    sweep().catch((err: unknown) => log.warn({ err }, 'traces of deleted projects are still stored'));
  }, SETTLED_MS).unref();
  return {
    sweep,
    async removeTraces(ids) {
      for (const id of ids) {
        try {
          await deps.deleteTraces(id);
        } catch (err) {
          // Its project is gone, so nobody sees them; the sweep tries again.
          log.warn({ err, projectId: id }, 'traces of a deleted project could not be removed yet');
        }
      }
    },
    close: () => clearInterval(timer),
  };
}
