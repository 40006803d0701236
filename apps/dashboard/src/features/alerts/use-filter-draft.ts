import { findAlertFilterProblem, type QueryTerm } from '@throughline/contract';
import { useQueryDraft } from '../trace-list/index.ts';
import { addFilterTerms, listFilterTerms, removeFilterTerm } from './filter-terms.ts';
import { type RuleDraft, toFilteredRule } from './rule-draft.ts';

export type FilterDraft = ReturnType<typeof useFilterDraft>;

/** Manages the filter that is being typed in the form of an alert. */
export function useFilterDraft(draft: RuleDraft, onChange: (part: Partial<RuleDraft>) => void) {
  const { filter } = draft;
  const rule = toFilteredRule(draft);
  const addTerms = (typed: string, replaced: QueryTerm | undefined) =>
    addFilterTerms(rule, replaced === undefined ? filter : removeFilterTerm(filter, replaced), typed);
  const query = useQueryDraft({
    terms: listFilterTerms(filter),
    add: (typed, replaced) => {
      const added = addTerms(typed, replaced);
      if (added.problem === undefined) onChange({ filter: added.filter });
      return added.problem;
    },
    remove: (term) => onChange({ filter: removeFilterTerm(filter, term) }),
  });
  return {
    query,
    /**
     * Adds the terms that are still being typed, and returns the filter. If the filter is invalid, shows the problem and returns undefined.
     */
    complete: (): string | undefined => {
      const { text, editing } = query;
      const isTyping = text.trim() !== '' || editing !== undefined;
      const added = isTyping ? addTerms(text, editing) : { filter };
      if (isTyping) query.commit(text);
      if (added.filter === undefined) return undefined;
      if (findAlertFilterProblem(rule, added.filter) === undefined) return added.filter;
      query.field.current?.focus();
      return undefined;
    },
  };
}
