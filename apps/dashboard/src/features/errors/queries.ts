import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type BodyOf, type QueryOf, routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { useAction } from '../../shell/use-action.ts';

const ALL = 'errors';
/** Failed requests come all the time. Milliseconds. */
const REFRESH_MS = 60_000;

/** The errors of a project. */
export function useErrorList(projectId: string, query: QueryOf<typeof routes.errors.list>) {
  return useQuery({
    queryKey: [ALL, projectId, 'list', query],
    queryFn: ({ signal }) => api.call(routes.errors.list, { params: { id: projectId }, query, signal }),
    select: (answer) => answer.errors,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** One error with all that is known about it. */
export function useErrorDetail(projectId: string, errorId: string, days: string) {
  return useQuery({
    queryKey: [ALL, projectId, 'detail', errorId, days],
    queryFn: ({ signal }) =>
      api.call(routes.errors.read, { params: { id: projectId, errorId }, query: { days }, signal }),
    select: (answer) => answer.detail,
  });
}

/** The function that threw an error, with the values that its failing calls share. */
export function useThrowingFunction(projectId: string, errorId: string, days: string) {
  return useQuery({
    queryKey: [ALL, projectId, 'throwing', errorId, days],
    queryFn: ({ signal }) =>
      api.call(routes.errors.throwing, { params: { id: projectId, errorId }, query: { days }, signal }),
    select: (answer) => answer.throwing,
  });
}

/** Decides about an error, or notes something about it. */
export function useUpdateError(projectId: string, errorId: string) {
  const client = useQueryClient();
  return useAction({
    mutationFn: (body: BodyOf<typeof routes.errors.update>) =>
      api.call(routes.errors.update, { params: { id: projectId, errorId }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: [ALL, projectId] }),
  });
}
