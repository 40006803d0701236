import type { ValueNodeRow } from '../../../../visuals/values/value-rows.ts';
import { FilterLinks } from '../../../trace-list/index.ts';

interface ValueFiltersProps {
  readonly projectId: string;
  /** The term that filters for the row's value; undefined if the filter language cannot express the value. */
  readonly term: string | undefined;
  readonly row: ValueNodeRow;
  readonly isActive: boolean;
}

/** Links to the requests in which a row of a value's tree has the same value, and to the requests without this value. */
export function ValueFilters({ projectId, term, row, isActive }: ValueFiltersProps) {
  if (term === undefined) return null;
  return (
    <FilterLinks
      of={{ value: `${row.path} ${row.summary.text}`.trim(), term }}
      search={{ project: projectId }}
      size={20}
      isInTabOrder={isActive}
    />
  );
}
