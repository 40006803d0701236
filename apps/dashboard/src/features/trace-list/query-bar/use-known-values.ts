import { useQuery } from '@tanstack/react-query';
import { type AnalyticsFilters, routes } from '@throughline/contract';
import { api } from '../../../shell/api.ts';
import { type ListFilters, useListCache, useTraceFacets } from '../queries.ts';
import { listKnownValues } from './known-values.ts';

const FRESH_MS = 60_000;

/**
 * Returns a function that lists the values of a field that occur in the facets, in the loaded rows and, once `wanted` is true, in the
 * services, environments and releases of the project.
 */
export function useKnownValues(filters: ListFilters, wanted: boolean): (field: string) => readonly string[] {
  const cache = useListCache(filters);
  const { data: facets } = useTraceFacets(filters);
  const project = useProjectValues(filters.projectId, wanted);
  return (field) => {
    const pages = cache.read();
    return listKnownValues(field, {
      facets,
      project,
      rows: pages?.pages.flatMap(({ traces }) => traces) ?? [],
    });
  };
}

/** Returns the services, environments and releases of a project. Fetches nothing until `wanted`. */
export function useProjectValues(id: string | undefined, wanted: boolean): AnalyticsFilters | undefined {
  const { data } = useQuery({
    queryKey: ['query-values', id],
    enabled: wanted && id !== undefined,
    staleTime: FRESH_MS,
    // A failed request is not retried, because completion also works without these values.
    retry: false,
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.filters, { params: { id: id ?? '' }, query: {}, signal })).filters,
  });
  return data;
}
