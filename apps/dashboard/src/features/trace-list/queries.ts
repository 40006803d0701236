import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { routes, type TraceFilters, type TraceListQuery } from '@throughline/contract';
import { useMemo } from 'react';
import { api } from '../../shell/api.ts';
import { countTotal, listRows, type TracePages } from './trace-pages.ts';

const PAGE_SIZE = 50;
/** A user who scrolls on goes far: larger pages draw the list less often. */
const FURTHER_PAGE_SIZE = 200;
/** The cursor of the newest page. */
const FIRST_PAGE: string | undefined = undefined;

/** Without a project: those of every project that the viewer may see. */
export type ListFilters = Readonly<TraceFilters & Pick<TraceListQuery, 'startDate' | 'endDate'>>;

const keys = {
  list: (filters: ListFilters) => ['traces', filters] as const,
  figures: (filters: ListFilters) => ['trace-figures', filters] as const,
  facets: (filters: ListFilters) => ['trace-facets', filters] as const,
  differences: (filters: ListFilters) => ['trace-differences', filters] as const,
};

/** The traces that match, newest first, a page at a time. */
export function useTraceList(filters: ListFilters) {
  const query = useInfiniteQuery({
    queryKey: keys.list(filters),
    queryFn: ({ pageParam, signal }) =>
      api.call(routes.traces.list, {
        query:
          pageParam === undefined
            ? { ...filters, limit: PAGE_SIZE }
            : { ...filters, limit: FURTHER_PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    // While other filters are being answered the old rows stay, dimmed; another project's never do.
    placeholderData: (before, query) =>
      query?.queryKey[1].projectId === filters.projectId ? keepPreviousData(before) : undefined,
    // The live feed keeps the shown list current; a list that was left is fetched again.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const rows = useMemo(() => (query.data === undefined ? [] : listRows(query.data)), [query.data]);
  return { query, rows, total: query.data === undefined ? 0 : countTotal(query.data) };
}

/** Changes a list in the cache, or has it fetched again from its first page. */
export function useListCache(filters: ListFilters) {
  const client = useQueryClient();
  const queryKey = keys.list(filters);
  return {
    read: () => client.getQueryData<TracePages>(queryKey),
    change: (update: (pages: TracePages) => TracePages) =>
      client.setQueryData<TracePages>(queryKey, (pages) => (pages === undefined ? pages : update(pages))),
    fetchAgain: () => {
      client.setQueryData<TracePages>(queryKey, (pages) =>
        pages === undefined
          ? pages
          : { pages: pages.pages.slice(0, 1), pageParams: pages.pageParams.slice(0, 1) },
      );
      void client.invalidateQueries({ queryKey });
    },
    refreshFigures: () => void client.invalidateQueries({ queryKey: keys.figures(filters) }),
  };
}

/** So many pieces of time are told apart. */
const TIME_BARS = 60;
/** The interval of recounting: the list has every row at once, the charts need not. Milliseconds. */
const FACETS_EVERY_MS = 30_000;

/** The facets of the matching traces without the selected time and duration, for the charts that select them. */
export function useTraceFacets(filters: ListFilters) {
  const wider = withoutRanges(filters);
  return useQuery({
    queryKey: keys.facets(wider),
    queryFn: ({ signal }) => api.call(routes.traces.facets, { query: { ...wider, bars: TIME_BARS }, signal }),
    refetchInterval: FACETS_EVERY_MS,
    placeholderData: (before, query) =>
      query?.queryKey[1].projectId === filters.projectId ? keepPreviousData(before) : undefined,
  });
}

function withoutRanges({ startDate, endDate, minDuration, maxDuration, ...rest }: ListFilters): ListFilters {
  return rest;
}

/** The values that the matching traces have more often than others. */
export function useTraceDifferences(filters: ListFilters) {
  return useQuery({
    queryKey: keys.differences(filters),
    queryFn: ({ signal }) => api.call(routes.traces.differences, { query: filters, signal }),
  });
}

/** The totals of the matching traces, over time and against the previous period. */
export function useTraceFigures(filters: ListFilters) {
  return useQuery({
    queryKey: keys.figures(filters),
    queryFn: ({ signal }) => api.call(routes.traces.figures, { query: filters, signal }),
    placeholderData: (before, query) =>
      query?.queryKey[1].projectId === filters.projectId ? keepPreviousData(before) : undefined,
  });
}
