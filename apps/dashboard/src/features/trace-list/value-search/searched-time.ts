import { parseTraceQuery, type TraceFilters, type ValueSearch } from '@throughline/contract';
import { createContext, use } from 'react';

/**
 * The progress of a list's search over captured values. The figures beside the list wait for the first result of this search, and then
 * count only the requests of the searched time.
 */
export interface SearchedTime {
  readonly state: 'no search' | 'waiting' | 'searched';
  /** Start of the searched time, if the state is `searched`. */
  readonly since: string | undefined;
}

export const SearchedTimeContext = createContext<SearchedTime>({ state: 'no search', since: undefined });

/** A time before all requests. Used as the start of the searched time if the search has covered the list's whole range. */
const EVERYTHING = '1900-01-01T00:00:00.000000Z';
/** Interval at which a search is continued until it has covered the same time as the search of the list. Milliseconds. */
const CONTINUED_EVERY_MS = 1000;

/** The state of the request for a list, or for the list's groups. */
export interface ListAnswer {
  readonly isPending: boolean;
  readonly isPlaceholderData: boolean;
  readonly isLoadingError: boolean;
}

export function readSearchedTime(
  filters: Pick<TraceFilters, 'value' | 'q'>,
  { isPending, isPlaceholderData, isLoadingError }: ListAnswer,
  search: ValueSearch | undefined,
): SearchedTime {
  // If the list cannot be loaded, the figures do not wait for the list's search.
  if (!searchesValues(filters) || isLoadingError) return { state: 'no search', since: undefined };
  if (isPending || isPlaceholderData) return { state: 'waiting', since: undefined };
  return { state: 'searched', since: search?.since ?? EVERYTHING };
}

function searchesValues({ value = '', q = '' }: Pick<TraceFilters, 'value' | 'q'>): boolean {
  return value !== '' || parseTraceQuery(q).filters?.excluded?.value !== undefined;
}

/**
 * Returns options for the queries of the figures beside a list. `continueEvery` returns the interval at which a query is repeated, until
 * the query's own search has covered the same time as the list's search.
 */
export function useSearchedTime() {
  const { state, since } = use(SearchedTimeContext);
  return {
    enabled: state !== 'waiting',
    params: since === undefined ? {} : { searchedSince: since },
    continueEvery: (search: ValueSearch | undefined, otherwiseMs: number | false) =>
      since !== undefined && search?.limit === 'time' ? CONTINUED_EVERY_MS : otherwiseMs,
  };
}
