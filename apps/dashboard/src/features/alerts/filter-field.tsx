import { explainRefusedField, findAlertFilterProblem } from '@throughline/contract';
import { useState } from 'react';
import { QueryField, useRecentValues } from '../trace-list/index.ts';
import { type RuleDraft, toFilteredRule } from './rule-draft.ts';
import type { FilterDraft } from './use-filter-draft.ts';

interface FilterFieldProps {
  readonly projectId: string;
  readonly draft: RuleDraft;
  readonly query: FilterDraft['query'];
}

/**
 * Text field for the filter of an alert rule, such as `route:/checkout`. The filter uses the same query language as the filters of the
 * trace list.
 */
export function FilterField({ projectId, draft, query }: FilterFieldProps) {
  const [wasUsed, setWasUsed] = useState(false);
  const listValues = useRecentValues(projectId, wasUsed);
  const rule = toFilteredRule(draft);
  return (
    <QueryField
      label="Filter"
      description="The alert applies only to requests that match the filter."
      placeholder="All, or terms such as route:/checkout -instance:w3"
      draft={query}
      listValues={listValues}
      isOffered={(field, excluded) => explainRefusedField(rule, field, excluded) === undefined}
      storedProblem={findAlertFilterProblem(rule, draft.filter)?.message}
      isInForm
      onUse={() => setWasUsed(true)}
    />
  );
}
