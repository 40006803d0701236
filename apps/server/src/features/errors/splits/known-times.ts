import { toMicros } from '../../../platform/clock.ts';
import type { ErrorRow } from '../errors-store.ts';
import type { ErrorGrouping } from '../grouping/error-grouping.ts';

/**
 * Returns the row with the time of the first request with its message, if the row is the error of a function that probably had the error
 * before functions were known (see `planSplit`). Such an error is not new. The release in which the function first failed is unknown.
 */
export function withKnownTimes(row: ErrorRow, { splits }: ErrorGrouping, shownSince: bigint): ErrorRow {
  const { knownSince = null, knownUntil = null } = splits.get(row.message_id) ?? {};
  if (row.message_id === row.error_id || knownSince === null || knownUntil === null) return row;
  const since = toMicros(knownSince.getTime());
  if (row.first >= toMicros(knownUntil.getTime()) || row.first <= since) return row;
  return { ...row, first: since > shownSince ? since : shownSince, first_release: '' };
}
