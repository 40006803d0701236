import { getRouteApi } from '@tanstack/react-router';
import type { TraceSort } from '@throughline/contract';
import { readTraceFilterParams } from '../../../shell/url-state/search-params.ts';

const route = getRouteApi('/signed-in');

/** Returns only the URL parameters that affect the list, so that selecting another step of an open trace does not render the list again. */
export function useListParams() {
  return route.useSearch({
    select: (view) => ({
      ...readTraceFilterParams(view),
      trace: view.trace,
      differences: view.differences,
      sort: view.sort,
      groupBy: view.groupBy,
      groupSort: view.groupSort,
    }),
    structuralSharing: true,
  });
}

/** Returns the order of the list. */
export function useListSort(): TraceSort {
  return route.useSearch({ select: ({ sort }) => sort }) ?? 'time';
}
