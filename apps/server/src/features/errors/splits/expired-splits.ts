import { type ControlStore, lockOwner } from '../../../platform/control-store/index.ts';
import type { ProjectId } from '../../../platform/ids.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import {
  deleteUndecidedSplits,
  findSplitIds,
  findSplitProjects,
  findStoredMessages,
} from './expired-store.ts';

/** Maximum number of projects whose split errors one sweep examines. The next sweep continues with the next projects. */
const MAX_PROJECTS = 200;

/**
 * Returns a function that deletes the splits of errors without stored traces. A split that a user's decision needs is not deleted: if the
 * error occurs again, the decision must be about the same function as before.
 */
export function createExpiredSplits(
  { control, store }: { readonly control: ControlStore; readonly store: TraceStore },
  maxProjects = MAX_PROJECTS,
): () => Promise<void> {
  let last: ProjectId | undefined;

  const sweepProject = async (projectId: ProjectId) => {
    const ids = await findSplitIds(control.db, projectId);
    if (ids.length === 0) return;
    const stored = new Set(await findStoredMessages(store, projectId, ids));
    const expired = ids.filter((id) => !stored.has(id));
    if (expired.length === 0) return;
    await control.db.transaction(async (tx) => {
      // Decisions are stored under the same lock, so no decision can be added between the check and the deletion.
      if ((await lockOwner(tx, projectId)) === undefined) return;
      await deleteUndecidedSplits(tx, projectId, expired);
    });
  };

  return async () => {
    const projects = await findSplitProjects(control.db, last, maxProjects);
    last = projects.length < maxProjects ? undefined : projects.at(-1);
    for (const projectId of projects) await sweepProject(projectId);
  };
}
