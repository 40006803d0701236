import { formatCount, type GroupField } from '@throughline/contract';
import { useListParams } from '../filters/use-list-params.ts';
import { type ListFilters, useTraceGroups } from '../queries.ts';

interface GroupsCaptionProps {
  readonly filters: ListFilters;
  readonly groupBy: GroupField;
}

/** The number of shown groups. */
export function GroupsCaption({ filters, groupBy }: GroupsCaptionProps) {
  const { groupSort = 'count' } = useListParams();
  const { data } = useTraceGroups(filters, groupBy, groupSort);
  if (data === undefined) return null;
  const { groups, more } = data;
  return `Showing ${formatCount(groups.length)} of ${formatCount(groups.length + more)} groups`;
}
