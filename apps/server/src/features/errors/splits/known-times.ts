import { toMicros } from '../../../platform/clock.ts';
import type { ErrorListing, ErrorRow } from '../errors-store.ts';
import type { ErrorGrouping } from '../grouping/error-grouping.ts';

/**
 * Corrects the first occurrence of an error that was split off. If the error's function first threw before `knownUntil`, the function
 * probably also threw the message before functions were recorded. The error then counts as seen since the first request with the message,
 * so it is not new, and its first release is unknown. See `planSplit`.
 */
export function withKnownTimes(row: ErrorRow, { splits }: ErrorGrouping, shownSince: bigint): ErrorRow {
  const { knownSince = null, knownUntil = null } = splits.get(row.message_id) ?? {};
  if (row.message_id === row.error_id || knownSince === null || knownUntil === null) return row;
  const since = toMicros(knownSince.getTime());
  if (row.first >= toMicros(knownUntil.getTime()) || row.first <= since) return row;
  return { ...row, first: since > shownSince ? since : shownSince, first_release: '' };
}

/** Sorts a list by first occurrence again, because `withKnownTimes` changes some of these times. Other orders stay as the store sorted them. */
export function sortByKnownTimes(
  rows: readonly ErrorRow[],
  { sort, order }: ErrorListing,
): readonly ErrorRow[] {
  if (sort !== 'firstSeen') return rows;
  const sign = order === 'ascending' ? 1 : -1;
  return rows.toSorted((a, b) => sign * (a.first < b.first ? -1 : Number(a.first > b.first)));
}
