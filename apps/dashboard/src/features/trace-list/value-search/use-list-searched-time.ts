import type { ValueSearch } from '@throughline/contract';
import { useMemo } from 'react';
import { useListParams } from '../filters/use-list-params.ts';
import { type ListFilters, useTraceGroups } from '../queries.ts';
import { type ListAnswer, readSearchedTime, type SearchedTime } from './searched-time.ts';

/** Returns the time that the search of the list, or of the list's groups, has covered. */
export function useListSearchedTime(
  filters: ListFilters,
  list: ListAnswer,
  listSearch: ValueSearch | undefined,
): SearchedTime {
  const { groupBy, groupSort = 'count' } = useListParams();
  const isGrouped = groupBy !== undefined;
  const groups = useTraceGroups(filters, groupBy ?? 'endpoint', groupSort, { enabled: isGrouped });
  const { state, since } = isGrouped
    ? readSearchedTime(filters, groups, groups.data?.search)
    : readSearchedTime(filters, list, listSearch);
  // Memoized, so that the charts are not rendered again with each row of the list.
  return useMemo(() => ({ state, since }), [state, since]);
}
