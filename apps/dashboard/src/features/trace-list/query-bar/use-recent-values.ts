import { useQuery } from '@tanstack/react-query';
import { routes } from '@throughline/contract';
import { api } from '../../../shell/api.ts';
import { listKnownValues } from './known-values.ts';
import { useProjectValues } from './use-known-values.ts';

const DAY_MS = 86_400_000;
const FRESH_MS = 60_000;
/** Number of the newest requests whose values are offered. */
const MAX_ROWS = 200;

/**
 * Returns a function that lists the values of a field in a project's requests of the last day, for a page without a list of requests.
 * Fetches nothing until `wanted` is true.
 */
export function useRecentValues(projectId: string, wanted: boolean): (field: string) => readonly string[] {
  const project = useProjectValues(projectId, wanted);
  const { data } = useQuery({
    queryKey: ['recent-values', projectId],
    enabled: wanted,
    staleTime: FRESH_MS,
    // A failed request is not retried, because completion also works without these values.
    retry: false,
    queryFn: async ({ signal }) => {
      const query = { projectId, startDate: new Date(Date.now() - DAY_MS).toISOString() };
      const [facets, { traces }] = await Promise.all([
        api.call(routes.traces.facets, { query, signal }),
        api.call(routes.traces.list, { query: { ...query, limit: MAX_ROWS }, signal }),
      ]);
      return { facets, rows: traces };
    },
  });
  return (field) => listKnownValues(field, { facets: data?.facets, project, rows: data?.rows ?? [] });
}
