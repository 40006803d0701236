import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type NewFindingDecision, routes } from '@throughline/contract';
import { api } from '../../../shell/api.ts';
import { useAction } from '../../../shell/use-action.ts';
import type { Scope } from './scope.ts';

/** For this time, fetched stats are shown again without another request, in milliseconds. */
const FRESH_MS = 30_000;
/** Polling interval of the stats of a range that ends now. Milliseconds. */
const LIVE_MS = 60_000;

const buildKey = (name: string, { project, query }: Scope) => ['analytics', name, project, query] as const;

/**
 * While the stats of a new range load, the stats of the previous range stay on screen, dimmed. Stats of another project are never shown.
 */
function buildScreenOptions(name: string, scope: Scope) {
  return {
    queryKey: buildKey(name, scope),
    staleTime: FRESH_MS,
    refetchInterval: scope.isLive ? LIVE_MS : (false as const),
    placeholderData: <Data>(before: Data | undefined, query: { queryKey: readonly unknown[] } | undefined) =>
      query?.queryKey[2] === scope.project ? keepPreviousData(before) : undefined,
  };
}

const buildInput = ({ project, query }: Scope, signal: AbortSignal) => ({
  params: { id: project },
  query,
  signal,
});

export function useOverview(scope: Scope) {
  return useQuery({
    ...buildScreenOptions('overview', scope),
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.overview, buildInput(scope, signal))).overview,
  });
}

export function usePerformance(scope: Scope) {
  return useQuery({
    ...buildScreenOptions('performance', scope),
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.performance, buildInput(scope, signal))).performance,
  });
}

export function useErrors(scope: Scope) {
  return useQuery({
    ...buildScreenOptions('errors', scope),
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.errors, buildInput(scope, signal))).errors,
  });
}

export function useFlows(scope: Scope) {
  return useQuery({
    ...buildScreenOptions('flows', scope),
    queryFn: async ({ signal }) => (await api.call(routes.analytics.flows, buildInput(scope, signal))).flows,
  });
}

export function useSystem(scope: Scope) {
  return useQuery({
    ...buildScreenOptions('system', scope),
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.system, buildInput(scope, signal))).system,
  });
}

export function useUsers(scope: Scope) {
  return useQuery({
    ...buildScreenOptions('users', scope),
    queryFn: async ({ signal }) => (await api.call(routes.analytics.users, buildInput(scope, signal))).users,
  });
}

export function useBusiness(scope: Scope) {
  return useQuery({
    ...buildScreenOptions('business', scope),
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.business, buildInput(scope, signal))).business,
  });
}

export function useInsights(scope: Scope) {
  return useQuery({
    ...buildScreenOptions('insights', scope),
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.insights, buildInput(scope, signal))).insights,
  });
}

/** Hides a finding or shows it again. Resolves after the findings are reloaded, so that the list has changed when the focus moves. */
export function useDecideInsight(projectId: string, findingId: string, failure: string) {
  const client = useQueryClient();
  return useAction({
    failure,
    notifies: true,
    mutationFn: async (body: NewFindingDecision) => {
      await api.call(routes.analytics.decideInsight, { params: { id: projectId, findingId }, body });
      await client.invalidateQueries({ queryKey: ['analytics', 'insights', projectId] });
    },
  });
}

/**
 * Fetches a written summary of the findings. The server needs long to write the summary, so it is fetched only when the user requests it.
 */
export function useInsightsSummary(scope: Scope) {
  return useAction({
    failure: 'The summary could not be written.',
    mutationFn: async () =>
      (
        await api.call(routes.analytics.insightsSummary, {
          params: { id: scope.project },
          query: scope.query,
        })
      ).summary,
  });
}

/** Returns the filter values that occur in the range. */
export function useFilters(scope: Scope, enabled: boolean) {
  return useQuery({
    ...buildScreenOptions('filters', scope),
    queryKey: ['analytics', 'filters', scope.project, scope.rangeQuery],
    enabled,
    queryFn: async ({ signal }) =>
      (
        await api.call(routes.analytics.filters, {
          params: { id: scope.project },
          query: scope.rangeQuery,
          signal,
        })
      ).filters,
  });
}

/** Returns the start times of the project's first and last trace; null without traces. */
export function useExtent(project: string, enabled: boolean) {
  return useQuery({
    queryKey: ['analytics', 'extent', project],
    // Once the times of the first and last trace are known, they are not fetched again, so that the range of an open page does not change.
    // For a project without traces, the server is queried again.
    staleTime: ({ state }: { state: { data: unknown } }) =>
      state.data === null ? FRESH_MS : Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnMount: 'always' as const,
    enabled,
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.extent, { params: { id: project }, signal })).extent,
  });
}

interface FunnelStepInput {
  readonly method: string;
  readonly path: string;
  readonly name: string;
}

export function useSetFunnel(scope: Scope) {
  const client = useQueryClient();
  return useAction({
    failure: 'The funnel could not be saved.',
    mutationFn: (steps: readonly FunnelStepInput[]) =>
      api.call(routes.analytics.setFunnel, { params: { id: scope.project }, body: { steps: [...steps] } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['analytics', 'business', scope.project] }),
  });
}
