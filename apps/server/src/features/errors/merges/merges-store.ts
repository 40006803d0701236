import { and, asc, eq, sql } from 'drizzle-orm';
import { type ControlDb, errorMerges } from '../../../platform/control-store/index.ts';
import type { ProjectId } from '../../../platform/ids.ts';
import { buildMergedErrors, type MergedErrors } from './merged-errors.ts';

/** Finds the errors of a project that were merged into other errors, in the order of the merges. */
export async function findMergedErrors(db: ControlDb, projectId: ProjectId): Promise<MergedErrors> {
  const rows = await db
    .select({ errorId: errorMerges.errorId, targetId: errorMerges.targetId })
    .from(errorMerges)
    .where(eq(errorMerges.projectId, projectId))
    .orderBy(asc(errorMerges.mergedAt), asc(errorMerges.errorId));
  return buildMergedErrors(rows);
}

/** Merges errors into a target. An error that was already merged into another error gets this target instead. */
export async function putMerges(
  tx: ControlDb,
  projectId: ProjectId,
  targetId: string,
  errorIds: readonly string[],
  mergedAt: Date,
): Promise<void> {
  await tx
    .insert(errorMerges)
    .values(errorIds.map((errorId) => ({ projectId, errorId, targetId, mergedAt })))
    .onConflictDoUpdate({
      target: [errorMerges.projectId, errorMerges.errorId],
      set: { targetId: sql`excluded.target_id`, mergedAt: sql`excluded.merged_at` },
    });
}

/** Returns false if the error is not merged into the target. */
export async function deleteMerge(
  tx: ControlDb,
  projectId: ProjectId,
  targetId: string,
  errorId: string,
): Promise<boolean> {
  const rows = await tx
    .delete(errorMerges)
    .where(
      and(
        eq(errorMerges.projectId, projectId),
        eq(errorMerges.targetId, targetId),
        eq(errorMerges.errorId, errorId),
      ),
    )
    .returning({ errorId: errorMerges.errorId });
  return rows.length > 0;
}
