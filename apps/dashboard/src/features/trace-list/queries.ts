import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type GroupField,
  type GroupSort,
  routes,
  type TraceFilters,
  type TraceListQuery,
  type TraceRow,
  type TraceSort,
} from '@throughline/contract';
import { useMemo, useState } from 'react';
import { api } from '../../shell/api.ts';
import { useListSort } from './filters/use-list-params.ts';
import { countTotal, listRows, type TracePages, withLiveRows } from './trace-pages.ts';
import { useSearchedTime } from './value-search/searched-time.ts';

const PAGE_SIZE = 50;
/** A user who scrolls past the first page usually scrolls far: larger pages render the list less often. */
const FURTHER_PAGE_SIZE = 200;
/** The first page of a list is requested without a cursor. */
const FIRST_PAGE: string | undefined = undefined;

/** The filters of a list. Without a project, the list has the traces of every project that the viewer may see. */
export type ListFilters = Readonly<TraceFilters & Pick<TraceListQuery, 'startDate' | 'endDate'>>;

const keys = {
  list: (filters: ListFilters, sort: TraceSort) => ['traces', filters, sort] as const,
  figures: (filters: ListFilters) => ['trace-figures', filters] as const,
  facets: (filters: ListFilters) => ['trace-facets', filters] as const,
  differences: (filters: ListFilters) => ['trace-differences', filters] as const,
  groups: (filters: ListFilters, groupBy: GroupField, sort: GroupSort) =>
    ['trace-groups', filters, groupBy, sort] as const,
};

/** Returns the matching traces page by page, in the order that the URL sets. Fetches nothing unless `enabled`. */
export function useTraceList(filters: ListFilters, enabled: boolean) {
  const sort = useListSort();
  const query = useInfiniteQuery({
    queryKey: keys.list(filters, sort),
    enabled,
    queryFn: ({ pageParam, signal }) =>
      api.call(routes.traces.list, {
        query:
          pageParam === undefined
            ? { ...filters, sort, limit: PAGE_SIZE }
            : { ...filters, sort, limit: FURTHER_PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    // While the rows for changed filters load, the rows for the previous filters stay, dimmed; rows of another project never stay.
    placeholderData: (before, query) =>
      query?.queryKey[1].projectId === filters.projectId ? keepPreviousData(before) : undefined,
    // The live feed updates only the list on the page, so any other list is fetched again when it is opened.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const rows = useMemo(
    () => (query.data === undefined ? [] : listRows(query.data, sort)),
    [query.data, sort],
  );
  return { query, rows, total: query.data === undefined ? 0 : countTotal(query.data, sort) };
}

/** Returns functions that read or change a list in the cache, or fetch the list again from its first page. */
export function useListCache(filters: ListFilters) {
  const client = useQueryClient();
  const sort = useListSort();
  const queryKey = keys.list(filters, sort);
  return {
    read: () => client.getQueryData<TracePages>(queryKey),
    insert: (rows: readonly TraceRow[]) =>
      client.setQueryData<TracePages>(queryKey, (pages) =>
        pages === undefined ? pages : withLiveRows(pages, rows, sort),
      ),
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

/** Continues a search over captured values, in the list or in its groups, then updates the charts and stats. */
export function useContinueSearch(
  filters: ListFilters,
  groups: { readonly groupBy: GroupField; readonly sort: GroupSort } | undefined,
) {
  const client = useQueryClient();
  const sort = useListSort();
  const [isContinuing, setContinuing] = useState(false);
  const search = async () => {
    setContinuing(true);
    const queryKey =
      groups === undefined ? keys.list(filters, sort) : keys.groups(filters, groups.groupBy, groups.sort);
    await client.refetchQueries({ queryKey });
    setContinuing(false);
    const others = [keys.figures(filters), keys.facets(withoutDurations(filters)), keys.differences(filters)];
    for (const other of others) void client.invalidateQueries({ queryKey: other });
  };
  return { isContinuing, continueSearch: () => void search() };
}

/** The number of bars in the chart over time. */
const TIME_BARS = 60;
/** The list gets new rows immediately, but the charts and groups are counted again only at this interval. Milliseconds. */
const RECOUNTED_EVERY_MS = 30_000;

/**
 * Returns the facets of the traces in the range, for the charts in which the user selects ranges. Ignores the duration filter, so that the
 * chart of durations also shows the durations outside this filter.
 */
export function useTraceFacets(filters: ListFilters) {
  const wider = withoutDurations(filters);
  const { enabled, params, continueEvery } = useSearchedTime();
  return useQuery({
    queryKey: [...keys.facets(wider), params] as const,
    enabled,
    queryFn: ({ signal }) =>
      api.call(routes.traces.facets, { query: { ...wider, ...params, bars: TIME_BARS }, signal }),
    refetchInterval: ({ state }) => continueEvery(state.data?.search, RECOUNTED_EVERY_MS),
    placeholderData: (before, query) =>
      query?.queryKey[1].projectId === filters.projectId ? keepPreviousData(before) : undefined,
  });
}

function withoutDurations({ minDuration, maxDuration, ...rest }: ListFilters): ListFilters {
  return rest;
}

/** Returns the values that are more frequent among the matching traces than among other traces. */
export function useTraceDifferences(filters: ListFilters) {
  const { enabled, params, continueEvery } = useSearchedTime();
  return useQuery({
    queryKey: [...keys.differences(filters), params] as const,
    enabled,
    queryFn: ({ signal }) =>
      api.call(routes.traces.differences, { query: { ...filters, ...params }, signal }),
    refetchInterval: ({ state }) => continueEvery(state.data?.search, false),
  });
}

/** Returns the groups of the matching traces. */
export function useTraceGroups(
  filters: ListFilters,
  groupBy: GroupField,
  sort: GroupSort,
  { enabled = true }: { readonly enabled?: boolean } = {},
) {
  return useQuery({
    queryKey: keys.groups(filters, groupBy, sort),
    enabled,
    queryFn: ({ signal }) => api.call(routes.traces.groups, { query: { ...filters, groupBy, sort }, signal }),
    refetchInterval: RECOUNTED_EVERY_MS,
    placeholderData: (before, query) =>
      query?.queryKey[1].projectId === filters.projectId && query?.queryKey[2] === groupBy
        ? keepPreviousData(before)
        : undefined,
  });
}

/** Returns the totals of the matching traces, over time and compared with the previous period. */
export function useTraceFigures(filters: ListFilters) {
  const { enabled, params, continueEvery } = useSearchedTime();
  return useQuery({
    queryKey: [...keys.figures(filters), params] as const,
    enabled,
    queryFn: ({ signal }) => api.call(routes.traces.figures, { query: { ...filters, ...params }, signal }),
    refetchInterval: ({ state }) => continueEvery(state.data?.search, false),
    placeholderData: (before, query) =>
      query?.queryKey[1].projectId === filters.projectId ? keepPreviousData(before) : undefined,
  });
}
