import { asc, eq } from 'drizzle-orm';
import { type ControlDb, errorSplits } from '../../../platform/control-store/index.ts';
import type { ProjectId } from '../../../platform/ids.ts';
import type { QueryParams } from '../../../platform/trace-store/index.ts';
import { ERROR_ID, ERROR_PLACE, PLACED_ERROR_ID } from '../../rollups/index.ts';
import { findMergedErrors } from '../merges/merges-store.ts';
import { buildErrorGrouping, type ErrorGrouping } from './error-grouping.ts';

/** Finds the merges and splits by which a project's failed requests are grouped into errors. */
export async function findErrorGrouping(db: ControlDb, projectId: ProjectId): Promise<ErrorGrouping> {
  const merges = await findMergedErrors(db, projectId);
  const splits = await db
    .select({
      errorId: errorSplits.errorId,
      firstId: errorSplits.firstId,
      knownSince: errorSplits.knownSince,
      knownUntil: errorSplits.knownUntil,
      splitAt: errorSplits.splitAt,
    })
    .from(errorSplits)
    .where(eq(errorSplits.projectId, projectId))
    .orderBy(asc(errorSplits.errorId));
  return buildErrorGrouping(merges, splits);
}

/** Maximum number of characters of all texts in a condition, because a ClickHouse server receives them in a URL. */
export const MAX_CHARACTERS = 4_000;

/** An SQL expression or condition about the error of a failed request, with its parameters. */
export interface ErrorSql {
  readonly sql: string;
  readonly params: QueryParams;
}

/** Builds SQL for the id of a failed request's own error, as if no errors were merged. */
export function selectOwnError({ splits }: Pick<ErrorGrouping, 'splits'>): ErrorSql {
  if (splits.size === 0) return { sql: ERROR_ID, params: {} };
  return {
    sql: `if(${ERROR_PLACE} != '' AND ${ERROR_ID} IN {splitErrors:Array(String)} AND ${PLACED_ERROR_ID} NOT IN {firstErrors:Array(String)},
      ${PLACED_ERROR_ID}, ${ERROR_ID})`,
    params: {
      splitErrors: [...splits.keys()],
      firstErrors: [...splits.values()].map(({ firstId }) => firstId),
    },
  };
}

/** Builds a condition for the failed requests of the given errors, without the requests of errors that were merged into them. */
export function selectErrors(grouping: ErrorGrouping, errorIds: readonly string[]): ErrorSql {
  const { sql, params } = selectOwnError(grouping);
  return { sql: `is_error AND ${sql} IN {errorIds:Array(String)}`, params: { ...params, errorIds } };
}

/**
 * Builds SQL for the id of the error under which a failed request of the project is shown. `mergedIds` are the ids of the merge targets.
 */
export async function findKnownErrors(db: ControlDb, projectId: ProjectId) {
  const grouping = await findErrorGrouping(db, projectId);
  const { id, params } = selectShownError(grouping);
  return { id, params, mergedIds: grouping.targets };
}

/**
 * Builds SQL for the id of the error under which a failed request is shown: the request's own error or, if this error was merged, the
 * target of the merge. `isOwn` is a condition for requests whose own error is shown. `choose` builds SQL for one value of the shown error,
 * such as its service.
 */
export function selectShownError(grouping: Pick<ErrorGrouping, 'splits' | 'merged' | 'targets'>) {
  const { merged, targets } = grouping;
  const own = selectOwnError(grouping);
  if (merged.length === 0) {
    // Without merges, each request shows its own error. A condition that compares the id with itself would compute the hash for each
    // request.
    return { isOwn: 'true', id: own.sql, choose: (value: string) => `any(${value})`, params: own.params };
  }
  const id = `transform(${own.sql}, {merged:Array(String)}, {targets:Array(String)})`;
  const isOwn = `${own.sql} = ${id}`;
  return {
    isOwn,
    id,
    // Selects the value of the target's own requests. If no such request is stored, selects the newest value of the merged errors.
    choose: (value: string) => `argMax(${value}, (${isOwn}, start_time))`,
    params: { ...own.params, merged, targets } satisfies QueryParams,
  };
}
