import { useState } from 'react';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import { buildFilters } from '../filters/use-list-filters.ts';
import { DifferencesPanel } from './differences-panel.tsx';
import { FilterLinks } from './filter-actions.tsx';

interface LinkedDifferencesProps {
  /** The URL parameters of the list of the compared requests. */
  readonly search: ViewChange;
  readonly onClose: () => void;
}

/**
 * For pages without a list of requests: the values that are more frequent among the requests of `search` than among other requests. Each
 * value has links to the list of `search`, filtered by the value.
 */
export function LinkedDifferences({ search, onClose }: LinkedDifferencesProps) {
  const [now] = useState(() => new Date());
  return (
    <DifferencesPanel
      filters={buildFilters(search.project, search, now)}
      actions={(difference) => <FilterLinks of={difference} search={{ ...search, differences: 'shown' }} />}
      onClose={onClose}
    />
  );
}
