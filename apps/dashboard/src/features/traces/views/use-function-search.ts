import { useMemo } from 'react';
import { useChangeView, useViewParams } from '../../../shell/url-state/search-params.ts';
import type { DrawnCalls } from '../../../visuals/flow/functions/calls/drawn-calls.ts';
import { findFirstNode } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { filterSteps } from '../../../visuals/steps/tree/step-filter.ts';
import type { LoadedTrace } from '../data/queries.ts';
import type { Selection } from '../data/use-selection.ts';
import type { StepFilterState } from '../filter/use-step-filter.ts';
import { useValueSearch } from '../filter/use-value-search.ts';

export interface FunctionSearch extends Pick<StepFilterState, 'query' | 'values' | 'ask'> {
  /** The functions with a call that contains the search string; undefined without a search. */
  readonly hits: ReadonlySet<string> | undefined;
  /** Selects the first matching call of the next function; after the last function, the first function follows. */
  readonly goToNext: () => void;
}

/** Searches the names and values of functions' calls for the search string in the URL. */
export function useFunctionSearch(
  loaded: LoadedTrace,
  { forest, critical, selected, select }: Selection,
  drawn: DrawnCalls | undefined,
): FunctionSearch {
  const { find = '' } = useViewParams();
  const change = useChangeView();
  const { found, values } = useValueSearch(loaded, find);
  const query = useMemo(() => ({ text: find, type: undefined, only: undefined }), [find]);
  /** The first match of each function. */
  const matches = useMemo(() => {
    const filter = filterSteps(forest, query, critical, found);
    if (filter === undefined || drawn === undefined) return undefined;
    const firsts = new Map<string, StepNode>();
    for (const node of filter.matches) {
      const id = drawn.graph.byStep.get(node)?.id;
      if (id !== undefined && !firsts.has(id)) firsts.set(id, node);
    }
    return firsts;
  }, [forest, query, critical, found, drawn]);
  const hits = useMemo(() => matches && new Set(matches.keys()), [matches]);
  const goToNext = () => {
    if (matches === undefined || drawn === undefined) return;
    const order = drawn.shown.map(({ id }) => id).filter((id) => matches.has(id));
    const current = selected && drawn.graph.byStep.get(findFirstNode(selected))?.id;
    const at = current === undefined ? -1 : order.indexOf(current);
    const next = matches.get(order[(at + 1) % order.length] ?? '');
    if (next !== undefined) select(next.key);
  };
  return {
    query,
    values,
    hits,
    goToNext,
    ask: ({ text }) => change({ find: text === '' ? undefined : text }, { replace: true }),
  };
}
