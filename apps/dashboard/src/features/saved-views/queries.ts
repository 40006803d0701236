import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type BodyOf, routes, type SavedView } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { api } from '../../shell/api.ts';
import { useAction } from '../../shell/use-action.ts';

const ALL_VIEWS = ['saved-views'] as const;

/** Fetches the viewer's own and pinned views. */
export function useOwnViews() {
  return useQuery({
    queryKey: [...ALL_VIEWS, 'own'],
    queryFn: ({ signal }) => api.call(routes.savedViews.list, { signal }),
    select: (answer) => answer.views,
  });
}

/** Fetches the shared views of a project, if one is selected. */
export function useSharedViews(projectId: string | undefined) {
  return useQuery({
    queryKey: [...ALL_VIEWS, 'shared', projectId],
    queryFn: ({ signal }) =>
      api.call(routes.savedViews.listOfProject, { params: { id: projectId ?? '' }, signal }),
    select: (answer) => answer.views,
    enabled: projectId !== undefined,
    // Always fetches the views again, because colleagues can share views at any time.
    staleTime: 0,
  });
}

function useRefresh(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ALL_VIEWS });
}

export function useSaveView() {
  const refresh = useRefresh();
  return useAction({
    failure: 'The view could not be saved.',
    mutationFn: (body: BodyOf<typeof routes.savedViews.create>) =>
      api.call(routes.savedViews.create, { body }),
    onSettled: refresh,
  });
}

export function useUpdateView({ id }: SavedView, failure: string, notifies?: true) {
  const refresh = useRefresh();
  return useAction({
    failure,
    ...(notifies === true ? { notifies } : {}),
    mutationFn: (body: BodyOf<typeof routes.savedViews.update>) =>
      api.call(routes.savedViews.update, { params: { id }, body }),
    onSettled: refresh,
  });
}

export function useDeleteView({ id }: SavedView) {
  const refresh = useRefresh();
  return useAction({
    failure: 'The view could not be deleted.',
    mutationFn: () => api.call(routes.savedViews.remove, { params: { id } }),
    onSettled: refresh,
  });
}

/** Pins a view, or unpins a pinned view. */
export function usePinView({ id, name, pinnedAt }: SavedView) {
  const refresh = useRefresh();
  const isPinned = pinnedAt !== null;
  const route = isPinned ? routes.savedViews.unpin : routes.savedViews.pin;
  return useAction({
    failure: `${escapeControlCharacters(name)} could not be ${isPinned ? 'unpinned' : 'pinned'}.`,
    notifies: true,
    mutationFn: () => api.call(route, { params: { id } }),
    onSettled: refresh,
  });
}
