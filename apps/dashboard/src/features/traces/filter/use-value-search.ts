import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { FoundParts } from '../../../visuals/steps/tree/step-filter.ts';
import type { LoadedTrace } from '../data/queries.ts';
import { getTraceCalls } from '../data/trace-calls.ts';

/** The state of the search for a string in the values of a trace's steps. */
export type ValueSearch =
  | { readonly state: 'unasked' | 'searched' }
  /** Between 0 and 1. */
  | { readonly state: 'loading'; readonly share: number }
  | { readonly state: 'failed'; retry(): void };

const NOTHING: FoundParts = new Map();

/** Finds the steps of a trace that contain a string, including in their values. The server searches a large trace in parts. */
export function useValueSearch(
  { trace, whole }: LoadedTrace,
  text: string,
): { readonly found: FoundParts; readonly values: ValueSearch } {
  const words = text.trim();
  const isAsked = words !== '' && !whole;
  const search = useInfiniteQuery({
    queryKey: ['trace', trace._id, 'find', words],
    queryFn: ({ pageParam, signal, meta }) =>
      getTraceCalls(meta).findSteps(trace._id, { text: words, from: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    enabled: isAsked,
    structuralSharing: false,
    staleTime: 30_000,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = search;
  useEffect(() => {
    if (isAsked && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isAsked, hasNextPage, isFetching, isError, fetchNextPage]);
  const found = useMemo(() => {
    if (!isAsked || data === undefined) return NOTHING;
    return new Map(
      data.pages.flatMap(({ hits }) => hits.map(({ stepId, foundIn }) => [stepId, foundIn] as const)),
    );
  }, [isAsked, data]);
  const computeState = (): ValueSearch => {
    if (words === '') return { state: 'unasked' };
    if (whole || (data !== undefined && !hasNextPage)) return { state: 'searched' };
    if (isError && !isFetching)
      return { state: 'failed', retry: () => void (data === undefined ? search.refetch() : fetchNextPage()) };
    const last = data?.pages.at(-1);
    return { state: 'loading', share: last === undefined ? 0 : last.searched / Math.max(1, last.steps) };
  };
  return { found, values: computeState() };
}
