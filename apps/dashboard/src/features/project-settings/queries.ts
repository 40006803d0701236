import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type BodyOf, type Project, routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { useAction } from '../../shell/use-action.ts';

const keys = {
  project: (id: string) => ['projects', id, 'settings'] as const,
  recent: (id: string) => ['projects', id, 'recent-traces'] as const,
};

export function useProject(id: string) {
  return useQuery({
    queryKey: keys.project(id),
    queryFn: ({ signal }) => api.call(routes.projects.read, { params: { id }, signal }),
    select: (answer) => answer.project,
  });
}

/**
 * Changes some of a project's settings. Writes the server's response to the query cache, so that the project's page shows the changed
 * settings immediately. Fetches the lists of projects again.
 */
export function useChangeProject(project: Project, failure: string) {
  const client = useQueryClient();
  return useAction({
    failure,
    mutationFn: (body: BodyOf<typeof routes.projects.update>) =>
      api.call(routes.projects.update, { params: { id: project.id }, body }),
    onSuccess: (answer) => {
      client.setQueryData(keys.project(project.id), answer);
      void client.invalidateQueries({ queryKey: ['projects'], exact: true });
      void client.invalidateQueries({ queryKey: ['public-projects'] });
    },
  });
}

/** Number of recent traces offered for testing rules. */
const RECENT = 25;

export function useRecentTraces(projectId: string) {
  return useQuery({
    queryKey: keys.recent(projectId),
    queryFn: ({ signal }) => api.call(routes.traces.list, { query: { projectId, limit: RECENT }, signal }),
    select: (answer) => answer.traces,
  });
}

/** Fetches a stored trace with its values; fetches nothing until a trace is selected. */
export function useWholeTrace(id: string | undefined) {
  return useQuery({
    queryKey: ['trace', id, 'to-try-rules-on'],
    queryFn: async ({ signal }) => {
      if (id === undefined) throw new Error('no trace is chosen');
      return (await api.call(routes.traces.read, { params: { id }, signal })).trace;
    },
    enabled: id !== undefined,
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
