import { useState } from 'react';
import { useChangeView } from '../../../shell/url-state/search-params.ts';
import { useListParams } from '../filters/use-list-params.ts';
import type { ListFilters } from '../queries.ts';
import { QueryField } from './query-field.tsx';
import { addQuery, listActiveTerms, removeTerm } from './query-params.ts';
import { useKnownValues } from './use-known-values.ts';
import { type QueryStore, useQueryDraft } from './use-query-draft.ts';

/** Query field, with completion, for all filters of the list. The URL stores the filters. */
export function QueryBar({ filters }: { readonly filters: ListFilters }) {
  const [wasUsed, setWasUsed] = useState(false);
  const listValues = useKnownValues(filters, wasUsed);
  return (
    <QueryField draft={useQueryDraft(useUrlQuery())} listValues={listValues} onUse={() => setWasUsed(true)} />
  );
}

/** The filters in the URL, as terms. */
function useUrlQuery(): QueryStore {
  const view = useListParams();
  const change = useChangeView();
  return {
    terms: listActiveTerms(view),
    add: (typed, replaced) => {
      const removed = replaced === undefined ? {} : removeTerm(view, replaced);
      const added = addQuery({ ...view, ...removed }, typed);
      if (added.problem === undefined) change({ ...removed, ...added.change }, { replace: true });
      return added.problem;
    },
    remove: (term) => change(removeTerm(view, term), { replace: true }),
  };
}
