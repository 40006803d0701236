import { createHash } from 'node:crypto';
import { buildMergedErrors, type MergedErrors } from '../merges/merged-errors.ts';

/**
 * The split of an error whose message is thrown by several functions. The function that failed first keeps the error with its id. Each of
 * the other functions has an error of its own.
 */
export interface ErrorSplit {
  readonly errorId: string;
  /** The hash of the message and the function that failed first. The filter `errorIds` finds this function's requests by this id. */
  readonly firstId: string;
  /**
   * Set if the message was thrown before functions were recorded. A function that first threw the message before `knownUntil` counts as
   * having thrown the message since `knownSince`, the start of the first request with the message; see `planSplit`.
   */
  readonly knownSince: Date | null;
  readonly knownUntil: Date | null;
  readonly splitAt: Date;
}

/**
 * The errors of a project. Failed requests of a service with the same message have the same error. If several functions throw the message,
 * the error is split by function. Users can merge errors.
 */
export interface ErrorGrouping extends MergedErrors {
  /** The split errors, by id. */
  readonly splits: ReadonlyMap<string, ErrorSplit>;
  /**
   * Lists the values of the filter `errorIds` that find exactly the requests of the given errors, without the requests of errors that were
   * merged into them.
   */
  listRequestIds(errorIds: readonly string[]): string[];
}

export function buildErrorGrouping(merges: MergedErrors, rows: readonly ErrorSplit[]): ErrorGrouping {
  const splits = new Map(rows.map((split) => [split.errorId, split]));
  const byFirst = new Map(rows.map(({ firstId, errorId }) => [firstId, errorId]));
  return {
    ...merges,
    resolve: (errorId) => merges.resolve(byFirst.get(errorId) ?? errorId),
    splits,
    listRequestIds: (errorIds) =>
      errorIds.flatMap((id) => {
        const split = splits.get(id);
        // With the id of a split error, the filter would also find the requests of the other functions. `firstId` finds only the requests
        // of the first function, and the second id finds the requests whose function is unknown.
        return split === undefined ? [id] : [split.firstId, buildUnplacedId(id)];
      }),
  };
}

/**
 * Returns the grouping with more merges: each key of `targets` is merged into its value. A value must not be an error that was merged into
 * another error.
 */
export function mergeMore(grouping: ErrorGrouping, targets: ReadonlyMap<string, string>): ErrorGrouping {
  const resolve = (errorId: string) => {
    const shown = grouping.resolve(errorId);
    return targets.get(shown) ?? shown;
  };
  const all = [...grouping.merged, ...targets.keys()];
  const merges = buildMergedErrors(all.map((errorId) => ({ errorId, targetId: resolve(errorId) })));
  return { ...grouping, ...merges, resolve };
}

/** Builds the id that the trace store computes for an error's requests whose function is unknown (see `PLACED_ERROR_ID`). */
function buildUnplacedId(errorId: string): string {
  return createHash('md5').update(errorId).digest('hex');
}
