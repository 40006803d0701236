import type { ValueSearch } from '@throughline/contract';
import { useMemo } from 'react';
import { useListParams } from '../filters/use-list-params.ts';
import { type ListFilters, useTraceGroups } from '../queries.ts';
import { type ListAnswer, readSearchedTime, type SearchedTime } from './searched-time.ts';

/** Returns what the search of the list, or of its groups, has searched. */
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
  // Stable, so that the charts are not rendered with each row of the list.
  return useMemo(() => ({ state, since }), [state, since]);
}
