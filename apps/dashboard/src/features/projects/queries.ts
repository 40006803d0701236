import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, type Project, routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { useAction } from '../../shell/use-action.ts';

const projectKeys = {
  all: ['projects'],
  apiKey: (id: string) => ['projects', id, 'api-key'],
} as const;

/** Every project that the viewer may see, in the server's order; asked for anew by each part that is opened. */
export function useProjects() {
  return useQuery({
    queryKey: projectKeys.all,
    queryFn: ({ signal }) => api.call(routes.projects.list, { signal }),
    select: (answer) => answer.projects,
    staleTime: 0,
  });
}

/** Fetches the list of projects again, where counts or names have changed. */
export function useRefreshProjects(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: projectKeys.all, exact: true });
}

/** A project's whole API key. Kept no longer than it is shown. */
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
    mutationFn: (body: { readonly name: string; readonly description: string }) =>
      api.call(routes.projects.create, { body }),
    onSettled: refresh,
  });
}

type Names = Pick<Project, 'name' | 'description'>;

/**
 * Renames a project on the screen at once, since it is easily undone; the server follows. Where it refuses, the old names are back and a
 * message says why.
 */
export function useRenameProject({ id, name, description }: Project) {
  const client = useQueryClient();
  const refresh = useRefreshProjects();
  const mutationKey = ['rename-project', id];
  const show = (names: Names, instead?: Names) =>
    client.setQueryData<AnswerOf<typeof routes.projects.list>>(projectKeys.all, (answer) =>
      answer === undefined ? answer : { projects: renamed(answer.projects, id, names, instead) },
    );
  return useMutation({
    mutationKey,
    // One after the other: what was asked for last is what stays.
    scope: { id: `rename ${id}` },
    mutationFn: (body: Names) => api.call(routes.projects.update, { params: { id }, body }),
    onMutate: async (names) => {
      // An answer under way has the old names.
      await client.cancelQueries({ queryKey: projectKeys.all, exact: true });
      show(names);
      return { name, description };
    },
    onError: (error, names, before) => {
      if (before !== undefined) show(before, names);
      notifications.show({ color: 'red', message: `“${name}” could not be renamed. ${error.message}` });
    },
    onSettled: () => {
      if (client.isMutating({ mutationKey }) <= 1) refresh();
    },
  });
}

/** The projects with the names of one changed; with `instead`, only where it has those. */
function renamed(projects: readonly Project[], id: string, names: Names, instead?: Names): Project[] {
  const has = (project: Project) =>
    instead === undefined || (project.name === instead.name && project.description === instead.description);
  return projects.map((project) => (project.id === id && has(project) ? { ...project, ...names } : project));
}

export function useDeleteProject(project: Project) {
  const refresh = useRefreshProjects();
  return useAction({
    mutationFn: () => api.call(routes.projects.remove, { params: { id: project.id } }),
    onSettled: refresh,
  });
}

export function useRegenerateApiKey(project: Project) {
  const client = useQueryClient();
  const refresh = useRefreshProjects();
  return useAction({
    mutationFn: (graceHours: number) =>
      api.call(routes.projects.regenerateApiKey, { params: { id: project.id }, body: { graceHours } }),
    onSuccess: (answer) => client.setQueryData(projectKeys.apiKey(project.id), answer),
    onSettled: refresh,
  });
}
