import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  type ControlDb,
  errorMerges,
  errorSplits,
  errorStates,
} from '../../../platform/control-store/index.ts';
import type { ProjectId } from '../../../platform/ids.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { ERROR_ID } from '../../rollups/index.ts';

/** Finds projects with split errors, in the order of their ids, after a given project. */
export async function findSplitProjects(
  db: ControlDb,
  after: ProjectId | undefined,
  limit: number,
): Promise<ProjectId[]> {
  const { projectId } = errorSplits;
  const rows = await db
    .selectDistinct({ projectId })
    .from(errorSplits)
    .where(after === undefined ? undefined : gt(projectId, after))
    .orderBy(asc(projectId))
    .limit(limit);
  return rows.map((row) => row.projectId);
}

export async function findSplitIds(db: ControlDb, projectId: ProjectId): Promise<string[]> {
  const rows = await db
    .select({ errorId: errorSplits.errorId })
    .from(errorSplits)
    .where(eq(errorSplits.projectId, projectId));
  return rows.map(({ errorId }) => errorId);
}

/**
 * Finds which of the given errors still have a stored request, whichever function threw the error. An expired request counts until it is
 * deleted.
 */
export async function findStoredMessages(
  store: TraceStore,
  projectId: ProjectId,
  errorIds: readonly string[],
): Promise<string[]> {
  const rows = await store.rows(
    z.object({ message_id: z.string() }),
    `SELECT DISTINCT ${ERROR_ID} AS message_id FROM traces
     WHERE project_id = {project:UUID} AND is_error AND message_id IN {errorIds:Array(String)}`,
    { project: projectId, errorIds },
  );
  return rows.map((row) => row.message_id);
}

/** Deletes the given splits, except splits that a decision or a merge needs. */
export async function deleteUndecidedSplits(
  tx: ControlDb,
  projectId: ProjectId,
  splitIds: readonly string[],
): Promise<void> {
  const { errorId, decidedIds } = errorSplits;
  const isOfSplit = (
    id: typeof errorStates.errorId | typeof errorMerges.errorId | typeof errorMerges.targetId,
  ) => sql`(${id} = ${errorId} or ${id} = any(${decidedIds}))`;
  await tx.delete(errorSplits).where(
    and(
      eq(errorSplits.projectId, projectId),
      inArray(errorId, [...splitIds]),
      sql`not exists (select 1 from ${errorStates} where ${errorStates.projectId} = ${errorSplits.projectId} and ${isOfSplit(errorStates.errorId)}
          and (${errorStates.state} <> 'open' or ${errorStates.note} <> '' or ${errorStates.assignee} is not null))`,
      sql`not exists (select 1 from ${errorMerges} where ${errorMerges.projectId} = ${errorSplits.projectId}
          and (${isOfSplit(errorMerges.errorId)} or ${isOfSplit(errorMerges.targetId)}))`,
    ),
  );
}
