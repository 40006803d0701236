import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Project, routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { useAction } from '../../shell/use-action.ts';

const projectKeys = {
  all: ['projects'],
  apiKey: (id: string) => ['projects', id, 'api-key'],
} as const;

/** Fetches all projects of the viewer, in the server's order. Each component that starts to use the projects fetches them again. */
export function useProjects() {
  return useQuery({
    queryKey: projectKeys.all,
    queryFn: ({ signal }) => api.call(routes.projects.list, { signal }),
    select: (answer) => answer.projects,
    staleTime: 0,
  });
}

/** Returns a function that fetches the list of projects again after counts or names have changed. */
export function useRefreshProjects(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: projectKeys.all, exact: true });
}

/** Fetches a project's full API key. The cache keeps the key only while the key is shown. */
export function useApiKey(projectId: string) {
  return useQuery({
    queryKey: projectKeys.apiKey(projectId),
    queryFn: ({ signal }) => api.call(routes.projects.apiKey, { params: { id: projectId }, signal }),
    select: (answer) => answer.apiKey,
    gcTime: 0,
    staleTime: 0,
  });
}

export function useCreateProject() {
  const refresh = useRefreshProjects();
  return useAction({
    failure: 'The project could not be created.',
    mutationFn: (body: { readonly name: string; readonly description: string }) =>
      api.call(routes.projects.create, { body }),
    onSettled: refresh,
  });
}

export function useRenameProject(project: Project) {
  const refresh = useRefreshProjects();
  return useAction({
    failure: 'The project could not be renamed.',
    mutationFn: (body: Pick<Project, 'name' | 'description'>) =>
      api.call(routes.projects.update, { params: { id: project.id }, body }),
    onSettled: refresh,
  });
}

export function useDeleteProject(project: Project) {
  const refresh = useRefreshProjects();
  return useAction({
    failure: 'The project could not be deleted.',
    mutationFn: () => api.call(routes.projects.remove, { params: { id: project.id } }),
    onSettled: refresh,
  });
}

export function useRegenerateApiKey(project: Project) {
  const client = useQueryClient();
  const refresh = useRefreshProjects();
  return useAction({
    failure: 'The API key could not be regenerated.',
    mutationFn: (graceHours: number) =>
      api.call(routes.projects.regenerateApiKey, { params: { id: project.id }, body: { graceHours } }),
    onSuccess: (answer) => client.setQueryData(projectKeys.apiKey(project.id), answer),
    onSettled: refresh,
  });
}
