import { getRouteApi } from '@tanstack/react-router';
import { readTraceFilterParams } from '../../shell/search-params.ts';

const route = getRouteApi('/signed-in');

/** Of the address, what the list depends on alone: walking through an open trace's steps must not draw the list again. */
export function useListParams() {
  return route.useSearch({
    select: (view) => ({ ...readTraceFilterParams(view), trace: view.trace }),
    structuralSharing: true,
  });
}
