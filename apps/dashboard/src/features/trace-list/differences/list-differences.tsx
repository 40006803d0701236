import { useChangeView } from '../../../shell/url-state/search-params.ts';
import type { ListFilters } from '../queries.ts';
import { DifferencesPanel } from './differences-panel.tsx';
import { FilterActions } from './filter-actions.tsx';

/** The values that are more frequent among the listed requests, each with buttons that filter the list. */
export function ListDifferences({ filters }: { readonly filters: ListFilters }) {
  const change = useChangeView();
  return (
    <DifferencesPanel
      filters={filters}
      actions={(difference) => <FilterActions difference={difference} />}
      onClose={() => change({ differences: undefined }, { replace: true })}
    />
  );
}
