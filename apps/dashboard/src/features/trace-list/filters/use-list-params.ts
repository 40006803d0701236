import { getRouteApi } from '@tanstack/react-router';
import { readTraceFilterParams } from '../../../shell/url-state/search-params.ts';

const route = getRouteApi('/signed-in');

/** The parameters of the address on which the list depends: another step of an open trace must not draw the list again. */
export function useListParams() {
  return route.useSearch({
    select: (view) => ({
      ...readTraceFilterParams(view),
      trace: view.trace,
      differences: view.differences,
    }),
    structuralSharing: true,
  });
}
