import type { GroupField, ValueSearch } from '@throughline/contract';
import { useListParams } from '../filters/use-list-params.ts';
import { type ListFilters, useContinueSearch, useTraceGroups } from '../queries.ts';
import { ValueSearchNote } from './value-search-note.tsx';

interface OfList {
  readonly filters: ListFilters;
  readonly search: ValueSearch | undefined;
}

/** The progress of a list's search over captured values; nothing if everything was searched. */
export function ListSearchStatus({ filters, search }: OfList) {
  const { continueSearch, isContinuing } = useContinueSearch(filters, undefined);
  return search && <ValueSearchNote search={search} onContinue={continueSearch} continuing={isContinuing} />;
}

interface OfGroups {
  readonly filters: ListFilters;
  readonly groupBy: GroupField;
}

export function GroupsSearchStatus({ filters, groupBy }: OfGroups) {
  const { groupSort = 'count' } = useListParams();
  const { data } = useTraceGroups(filters, groupBy, groupSort);
  const { continueSearch, isContinuing } = useContinueSearch(filters, { groupBy, sort: groupSort });
  return (
    data?.search && (
      <ValueSearchNote search={data.search} onContinue={continueSearch} continuing={isContinuing} />
    )
  );
}
