import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { routes, type TraceListQuery } from '@throughline/contract';
import { api } from '../../shell/api.ts';

const PAGE_SIZE = 50;
/** The first page of a list is requested without a cursor. */
const FIRST_PAGE: string | undefined = undefined;

/** Fetches the public projects, newest first. */
export function usePublicProjects() {
  return useQuery({
    queryKey: ['public-projects'],
    queryFn: ({ signal }) => api.call(routes.projects.listPublic, { signal }),
    select: (answer) => answer.projects,
    staleTime: 60_000,
  });
}

export function usePublicProject(id: string) {
  return useQuery({
    queryKey: ['public-projects', id],
    queryFn: ({ signal }) => api.call(routes.projects.readPublic, { params: { id }, signal }),
    select: (answer) => answer.project,
    staleTime: 60_000,
  });
}

/** Filters and order of a public project's trace list. */
export type PublicFilters = Readonly<Pick<TraceListQuery, 'status' | 'method' | 'sort'>>;

/**
 * Fetches a public project's traces page by page. Until the traces for changed filters or another order are loaded, the previous traces
 * stay.
 */
export function usePublicTraces(projectId: string, filters: PublicFilters) {
  return useInfiniteQuery({
    queryKey: ['public-projects', projectId, 'traces', filters],
    queryFn: ({ pageParam, signal }) =>
      api.call(routes.traces.list, {
        query: { projectId, ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}
