import { parseTraceQuery, type TraceFilters, type ValueSearch } from '@throughline/contract';
import { createContext, use } from 'react';

/**
 * The time that a list's search over captured values has searched. Figures beside the list wait for the search, and cover the same time.
 */
export interface SearchedTime {
  readonly state: 'no search' | 'waiting' | 'searched';
  /** Start of the searched time, if the state is `searched`. */
  readonly since: string | undefined;
}

export const SearchedTimeContext = createContext<SearchedTime>({ state: 'no search', since: undefined });

/** A time before all requests: the list's search has searched the whole range. */
const EVERYTHING = '1900-01-01T00:00:00.000000Z';
/** Interval of continuing a search that covers less time than the list. Milliseconds. */
const CONTINUED_EVERY_MS = 1000;

/** How the request of a list, or of its groups, has ended. */
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
  // If the list fails, the figures search on their own.
  if (!searchesValues(filters) || isLoadingError) return { state: 'no search', since: undefined };
  if (isPending || isPlaceholderData) return { state: 'waiting', since: undefined };
  return { state: 'searched', since: search?.since ?? EVERYTHING };
}

function searchesValues({ value = '', q = '' }: Pick<TraceFilters, 'value' | 'q'>): boolean {
  return value !== '' || parseTraceQuery(q).filters?.excluded?.value !== undefined;
}

/** Options for a query of figures beside a list. `continueEvery` repeats it until its search has come as far as the list's. */
export function useSearchedTime() {
  const { state, since } = use(SearchedTimeContext);
  return {
    enabled: state !== 'waiting',
    params: since === undefined ? {} : { searchedSince: since },
    continueEvery: (search: ValueSearch | undefined, otherwiseMs: number | false) =>
      since !== undefined && search?.limit === 'time' ? CONTINUED_EVERY_MS : otherwiseMs,
  };
}
