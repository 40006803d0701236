import {
  type FilteredRule,
  findAlertFilterProblem,
  formatTraceQuery,
  listQueryTerms,
  parseTraceQuery,
  type QueryProblem,
  type QueryTerm,
} from '@throughline/contract';

/** Lists the terms of an alert's filter. */
export function listFilterTerms(filter: string): readonly QueryTerm[] {
  return listQueryTerms(parseTraceQuery(filter).filters ?? {});
}

export type FilterChange =
  | { readonly filter: string; readonly problem?: never }
  | { readonly filter?: never; readonly problem: QueryProblem };

/**
 * Adds typed terms to the filter of an alert. A term replaces the previous term of the same field; an excluded value is added to the
 * excluded values.
 */
export function addFilterTerms(rule: FilteredRule, filter: string, typed: string): FilterChange {
  const refused = findAlertFilterProblem(rule, typed);
  if (refused !== undefined) return { problem: refused };
  const { excluded: before, ...kept } = parseTraceQuery(filter).filters ?? {};
  const { excluded, ...added } = parseTraceQuery(typed).filters ?? {};
  const excludedTerms = [before, excluded].map((values) =>
    values === undefined ? '' : formatTraceQuery({ excluded: values }),
  );
  const all = parseTraceQuery(excludedTerms.join(' '));
  if (all.problem !== undefined) return { problem: { ...all.problem, start: 0, end: typed.length } };
  return { filter: formatTraceQuery({ ...kept, ...added, ...all.filters }) };
}

export function removeFilterTerm(filter: string, { text }: QueryTerm): string {
  return listFilterTerms(filter)
    .map((term) => term.text)
    .filter((one) => one !== text)
    .join(' ');
}
