import { createHash } from 'node:crypto';
import type { MergedErrors } from '../merges/merged-errors.ts';

/** An error whose message is thrown by several functions, which have errors of their own, except the first known function. */
export interface ErrorSplit {
  readonly errorId: string;
  /** The id that the error of the first function would have. */
  readonly firstId: string;
  /** The first request with the message, and the time until which the error of a function counts as seen since then; see `planSplit`. */
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
  /** Lists the ids by which the filter `errorIds` finds exactly the requests of some errors, before merges. */
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
        // The filter finds the requests of all functions by the id of a split error.
        return split === undefined ? [id] : [split.firstId, buildUnplacedId(id)];
      }),
  };
}

/** Builds the id of the requests whose function is unknown, as the trace store computes it (see `PLACED_ERROR_ID`). */
function buildUnplacedId(errorId: string): string {
  return createHash('md5').update(errorId).digest('hex');
}
