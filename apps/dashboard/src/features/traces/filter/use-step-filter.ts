import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useChangeView, useViewParams } from '../../../shell/url-state/search-params.ts';
import { listNodes } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import { filterSteps, type StepFilter, type StepQuery } from '../../../visuals/steps/tree/step-filter.ts';
import type { LoadedTrace } from '../data/queries.ts';
import type { Selection } from '../data/use-selection.ts';
import { useValueSearch, type ValueSearch } from './use-value-search.ts';

export interface StepFilterState {
  readonly query: StepQuery;
  /** Undefined if all steps are shown. */
  readonly filter: StepFilter | undefined;
  readonly values: ValueSearch;
  readonly ask: (change: Partial<StepQuery>) => void;
}

/** The filter of a trace's steps, stored in the URL. Selecting a step that the filter excludes removes the filter. */
export function useStepFilter(
  loaded: LoadedTrace,
  { forest, critical, selected }: Selection,
): StepFilterState {
  const { find = '', kind: type, only } = useViewParams();
  const change = useChangeView();
  const query = useMemo(() => ({ text: find, type, only }), [find, type, only]);
  const { found, values } = useValueSearch(loaded, find);
  const filter = useMemo(() => filterSteps(forest, query, critical, found), [forest, query, critical, found]);
  const ask = (asked: Partial<StepQuery>) => {
    const next = { ...query, ...asked };
    change(
      { find: next.text === '' ? undefined : next.text, kind: next.type, only: next.only },
      { replace: true },
    );
  };
  const seen = useRef(selected?.key);
  const show = useEffectEvent(() => {
    if (selected === undefined || filter === undefined) return;
    if (listNodes(selected).every((node) => filter.shown.has(node))) return;
    ask({ text: '', type: undefined, only: undefined });
  });
  useEffect(() => {
    if (seen.current === selected?.key) return;
    seen.current = selected?.key;
    show();
  }, [selected?.key]);
  return { query, filter, values, ask };
}
