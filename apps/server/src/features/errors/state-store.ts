import type { QueryParams } from '../../platform/trace-store/index.ts';
import type { ClosedError } from './decisions-store.ts';

/** The state of the errors that a list contains; `all` for a list of all errors. */
export type ListedState = 'open' | 'resolved' | 'ignored' | 'all';

/** A time later than any occurrence, so that an ignored error is never reopened. */
const NEVER_MICROS = Number.MAX_SAFE_INTEGER;

/**
 * Builds the condition for the errors that a list of a state contains. The query must define `error_id`, and `by_release`: the releases of
 * an error, and the last occurrence in each. The condition is the same rule as in `findState`.
 */
export function selectState(state: ListedState, closed: readonly ClosedError[]) {
  if (state === 'all') return { sql: 'true', params: {} };
  const isReopened = `arrayExists((name, at) -> at > {closedMicros:Array(Int64)}[closed_at] AND concat('=', name) != {closedAfter:Array(String)}[closed_at],
    tupleElement(by_release, 1), tupleElement(by_release, 2))`;
  const isClosed = `(indexOf({closedErrors:Array(String)}, error_id) AS closed_at) > 0 AND NOT ${isReopened}`;
  return {
    sql: state === 'open' ? `NOT (${isClosed})` : `(${isClosed})`,
    params: {
      closedErrors: closed.map(({ errorId }) => errorId),
      closedMicros: closed.map(({ reopensAfter }) => Number(reopensAfter ?? NEVER_MICROS)),
      // The prefix `=` distinguishes an unnamed release, whose name is empty, from no release.
      closedAfter: closed.map(({ afterRelease }) => (afterRelease === null ? '' : `=${afterRelease}`)),
    } satisfies QueryParams,
  };
}
