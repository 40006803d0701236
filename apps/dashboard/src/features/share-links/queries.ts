import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type BodyOf, routes, type ShareLink } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { useAction } from '../../shell/use-action.ts';

const ALL_LINKS = ['share-links'] as const;

const refresh = (client: QueryClient) => void client.invalidateQueries({ queryKey: ALL_LINKS });

/** Fetches a trace's active share links. */
export function useTraceLinks(traceId: string) {
  return useQuery({
    queryKey: [...ALL_LINKS, 'trace', traceId],
    queryFn: ({ signal }) => api.call(routes.shareLinks.listOfTrace, { params: { id: traceId }, signal }),
    select: (answer) => answer.shareLinks,
  });
}

/** Fetches the active share links to all traces of a project. */
export function useProjectLinks(projectId: string) {
  return useQuery({
    queryKey: [...ALL_LINKS, 'project', projectId],
    queryFn: ({ signal }) => api.call(routes.shareLinks.listOfProject, { params: { id: projectId }, signal }),
    select: (answer) => answer.shareLinks,
  });
}

export function useCreateLink(traceId: string) {
  const client = useQueryClient();
  return useAction({
    failure: 'The link could not be created.',
    mutationFn: (body: BodyOf<typeof routes.shareLinks.create>) =>
      api.call(routes.shareLinks.create, { params: { id: traceId }, body }),
    onSettled: () => refresh(client),
  });
}

export function useRevokeLink({ id, projectId }: ShareLink) {
  const client = useQueryClient();
  return useAction({
    failure: 'The link could not be revoked.',
    mutationFn: () => api.call(routes.shareLinks.revoke, { params: { id: projectId, linkId: id } }),
    onSettled: () => refresh(client),
  });
}
