import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ControlDb, errorSplits, errorStates } from '../../../platform/control-store/index.ts';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { ProjectId } from '../../../platform/ids.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { ERROR_ID, ERROR_PLACE, PLACED_ERROR_ID } from '../../rollups/index.ts';

/** Maximum number of functions of an error that are read, in the order in which they first threw. */
const MAX_PLACES = 1000;

const PlaceRow = z.object({
  message_id: z.string(),
  placed_id: z.string(),
  is_placed: z.coerce.boolean(),
  first: z.string().transform(BigInt),
});
export type PlaceRow = z.output<typeof PlaceRow>;

/**
 * Finds the functions that threw the messages of errors, and when each function first threw. Requests whose function is unknown are
 * returned as if one further function had thrown their errors.
 */
export async function findPlaces(
  store: TraceStore,
  { id, shownSince }: ShownProject,
  errorIds: readonly string[],
): Promise<PlaceRow[]> {
  return store.rows(
    PlaceRow,
    `SELECT ${ERROR_ID} AS message_id, ${PLACED_ERROR_ID} AS placed_id, any(${ERROR_PLACE} != '') AS is_placed, toString(toUnixTimestamp64Micro(min(start_time))) AS first
     FROM traces WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({since:Int64})
       AND is_error AND ${ERROR_ID} IN {errorIds:Array(String)}
     GROUP BY message_id, placed_id ORDER BY min(start_time), placed_id LIMIT ${MAX_PLACES} BY message_id`,
    { project: id, since: String(shownSince), errorIds },
  );
}

/** Inserts the split of an error. The caller has checked that the error is not split yet. */
export async function putSplit(tx: ControlDb, split: typeof errorSplits.$inferInsert): Promise<void> {
  await tx.insert(errorSplits).values(split);
}

/** Adds errors to the split's list of errors about which users decided. The split is not deleted while such a decision is in force. */
export async function noteDecided(
  tx: ControlDb,
  projectId: ProjectId,
  splitId: string,
  errorIds: readonly string[],
): Promise<void> {
  const ids = sql`array[${sql.join(
    errorIds.map((id) => sql`${id}`),
    sql`, `,
  )}]::text[]`;
  const { decidedIds } = errorSplits;
  await tx
    .update(errorSplits)
    .set({ decidedIds: sql`array(select distinct unnest(${decidedIds} || ${ids}))` })
    .where(
      and(
        eq(errorSplits.projectId, projectId),
        eq(errorSplits.errorId, splitId),
        sql`not ${decidedIds} @> ${ids}`,
      ),
    );
}

type Decision = typeof errorStates.$inferSelect;

export async function findDecision(
  tx: ControlDb,
  projectId: ProjectId,
  errorId: string,
): Promise<Decision | undefined> {
  const [decision] = await tx
    .select()
    .from(errorStates)
    .where(and(eq(errorStates.projectId, projectId), eq(errorStates.errorId, errorId)));
  return decision;
}

/** Copies a decision to errors without a decision. */
export async function putHeirs(tx: ControlDb, decision: Decision, heirs: readonly string[]): Promise<void> {
  if (heirs.length === 0) return;
  await tx
    .insert(errorStates)
    .values(heirs.map((heir) => ({ ...decision, errorId: heir })))
    .onConflictDoNothing();
}
