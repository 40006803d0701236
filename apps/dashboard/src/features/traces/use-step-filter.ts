import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useChangeView, useViewParams } from '../../shell/search-params.ts';
import { nodesOf } from '../../visuals/steps/fold-repeats.ts';
import { filterSteps, type StepFilter, type StepQuery } from '../../visuals/steps/step-filter.ts';
import type { LoadedTrace } from './queries.ts';
import { MOST_WITH_VALUES, useAllValues } from './related-queries.ts';
import type { Selection } from './use-selection.ts';

/** The state of the search for a text among the values of a trace's steps. */
export type ValueSearch =
  | { readonly state: 'unasked' | 'loading' | 'searched' | 'too-many' }
  | { readonly state: 'failed'; retry(): void };

export interface StepFilterState {
  readonly query: StepQuery;
  /** Undefined where all steps are shown. */
  readonly filter: StepFilter | undefined;
  readonly values: ValueSearch;
  readonly ask: (change: Partial<StepQuery>) => void;
}

/** Which steps of a trace are listed, kept in the address. Whoever goes to a step that is not listed sees all again. */
export function useStepFilter(
  loaded: LoadedTrace,
  { forest, critical, selected }: Selection,
): StepFilterState {
  const { find = '', kind: type, only } = useViewParams();
  const change = useChangeView();
  const query = useMemo(() => ({ text: find, type, only }), [find, type, only]);
  const isText = find.trim() !== '';
  const { query: read, values } = useAllValues(loaded, isText);
  const filter = useMemo(
    () => filterSteps(forest, query, critical, (step) => values?.get(step.stepId) ?? step),
    [forest, query, critical, values],
  );
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
    if (nodesOf(selected).every((node) => filter.kept.has(node))) return;
    ask({ text: '', type: undefined, only: undefined });
  });
  useEffect(() => {
    if (seen.current === selected?.key) return;
    seen.current = selected?.key;
    show();
  }, [selected?.key]);
  const searchOf = (): ValueSearch => {
    if (!isText) return { state: 'unasked' };
    if (values !== undefined) return { state: 'searched' };
    if (loaded.trace.flow.length > MOST_WITH_VALUES) return { state: 'too-many' };
    return read.isError && !read.isFetching
      ? { state: 'failed', retry: () => void read.refetch() }
      : { state: 'loading' };
  };
  return { query, filter, values: searchOf(), ask };
}
