import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type BodyOf, type QueryOf, routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { useAction } from '../../shell/use-action.ts';

/** The time range of the counted requests; without an end, the range ends now. */
export type ErrorRange = Pick<QueryOf<typeof routes.errors.list>, 'startDate' | 'endDate'>;

const ALL = 'errors';
/** Polling interval in milliseconds. The list is polled, because it has no live feed and failed requests can arrive at any time. */
const REFRESH_MS = 60_000;

/** Fetches a project's errors. The response also says whether it contains all errors that match the query. */
export function useErrorList(projectId: string, query: QueryOf<typeof routes.errors.list>) {
  return useQuery({
    queryKey: [ALL, projectId, 'list', query],
    queryFn: ({ signal }) => api.call(routes.errors.list, { params: { id: projectId }, query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** Fetches one error with its users, releases and newest requests. */
export function useErrorDetail(projectId: string, errorId: string, range: ErrorRange) {
  return useQuery({
    queryKey: [ALL, projectId, 'detail', errorId, range],
    queryFn: ({ signal }) =>
      api.call(routes.errors.read, { params: { id: projectId, errorId }, query: range, signal }),
    select: (answer) => answer.detail,
    placeholderData: keepOfError(errorId),
  });
}

/** Fetches the properties that an error's requests share, and how frequent they are in successful requests. */
export function useErrorComparison(projectId: string, errorId: string, range: ErrorRange) {
  return useQuery({
    queryKey: [ALL, projectId, 'comparison', errorId, range],
    queryFn: ({ signal }) =>
      api.call(routes.errors.compare, { params: { id: projectId, errorId }, query: range, signal }),
    select: (answer) => answer.comparison,
    placeholderData: keepOfError(errorId),
  });
}

/** Fetches the function that threw an error, with the values that the function's failing calls share. */
export function useThrowingFunction(projectId: string, errorId: string, range: ErrorRange) {
  return useQuery({
    queryKey: [ALL, projectId, 'throwing', errorId, range],
    queryFn: ({ signal }) =>
      api.call(routes.errors.throwing, { params: { id: projectId, errorId }, query: range, signal }),
    select: (answer) => answer.throwing,
    placeholderData: keepOfError(errorId),
  });
}

/** Keeps showing an error's details while the details of the same error in another time range load. */
function keepOfError(errorId: string) {
  return <Data>(before: Data | undefined, query: { queryKey: readonly unknown[] } | undefined) =>
    query?.queryKey[3] === errorId ? keepPreviousData(before) : undefined;
}

export function useUpdateError(projectId: string, errorId: string, failure: string) {
  const client = useQueryClient();
  return useAction({
    failure,
    notifies: true,
    mutationFn: (body: BodyOf<typeof routes.errors.update>) =>
      api.call(routes.errors.update, { params: { id: projectId, errorId }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: [ALL, projectId] }),
  });
}

/**
 * Merges errors into a target. Calls `onMerged` before the list of errors is fetched again, since the new list no longer contains the
 * merged errors.
 */
export function useMergeErrors(projectId: string, onMerged: (targetId: string) => void) {
  const client = useQueryClient();
  return useAction({
    failure: 'The errors could not be merged.',
    mutationFn: ({ targetId, errorIds }: { readonly targetId: string; readonly errorIds: string[] }) =>
      api.call(routes.errors.merge, { params: { id: projectId, errorId: targetId }, body: { errorIds } }),
    onSuccess: ({ errorId }) => onMerged(errorId),
    onSettled: () => client.invalidateQueries({ queryKey: [ALL, projectId] }),
  });
}

/** Splits off an error that was merged into another error. */
export function useSplitError(projectId: string, errorId: string) {
  const client = useQueryClient();
  return useAction({
    failure: 'The error could not be split off.',
    notifies: true,
    mutationFn: (mergedId: string) =>
      api.call(routes.errors.splitOff, { params: { id: projectId, errorId, mergedId } }),
    onSettled: () => client.invalidateQueries({ queryKey: [ALL, projectId] }),
  });
}
