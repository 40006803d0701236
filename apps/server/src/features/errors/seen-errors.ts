import type { ShownProject } from '../../platform/http/guard.ts';
import { findInPeriods, type Range } from './errors-store.ts';
import { findErrorGrouping } from './grouping/grouping-store.ts';
import type { ReadDeps } from './read-errors.ts';

/** An error that another feature stored, for example with an incident, and the period in which the error was seen. */
export interface StoredError {
  readonly errorId: string;
  readonly period: Range;
  readonly storedAt: Date;
}

/** The present state of an error that was stored earlier. */
export interface SeenError {
  readonly id: string;
  /** Values of the filter `errorIds` that find exactly the requests of the error. */
  readonly requestIds: readonly string[];
  /** True if a request of the error in the period is stored. */
  readonly hasRequests: boolean;
}

/**
 * Finds the current error for each stored error, in the same order. If the stored error was merged, the current error is the target of the
 * merge. If the stored error was split by function after it was stored, the current error is the error of the function that failed first in
 * the stored period.
 */
export async function findSeenErrors(
  { control, store, turns }: Pick<ReadDeps, 'control' | 'store' | 'turns'>,
  project: ShownProject,
  stored: readonly StoredError[],
): Promise<SeenError[]> {
  if (stored.length === 0) return [];
  const grouping = await findErrorGrouping(control.db, project.id);
  const listIds = (errorId: string) => {
    const target = grouping.resolve(errorId);
    return [target, ...grouping.listMerged(target)];
  };
  const wanted = [...new Set(stored.flatMap(({ errorId }) => [errorId, ...listIds(errorId)]))];
  const periods = stored.map(({ period }) => period);
  const rows = await turns.run(project.id, () => findInPeriods(store, project, periods, grouping, wanted));
  const byPeriod = Map.groupBy(rows, ({ period }) => period);
  return stored.map(({ errorId, storedAt }, at) => {
    const seen = byPeriod.get(at) ?? [];
    const splitAt = grouping.splits.get(errorId)?.splitAt;
    const [first] =
      splitAt === undefined || splitAt <= storedAt
        ? []
        : seen
            .filter(({ message_id }) => message_id === errorId)
            .toSorted((a, b) => (a.first < b.first ? -1 : 1));
    const ids = listIds(first?.error_id ?? errorId);
    return {
      id: ids[0] ?? errorId,
      requestIds: grouping.listRequestIds(ids),
      hasRequests: seen.some(({ error_id }) => ids.includes(error_id)),
    };
  });
}
