import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type NewFindingDecision, routes } from '@throughline/contract';
import { api } from '../../../shell/api.ts';
import { useAction } from '../../../shell/use-action.ts';
import type { Scope } from './scope.ts';

/** Figures are as good as new for so long; the server keeps those of days that are over. Milliseconds. */
const FRESH_MS = 30_000;
/** The stats of the last hours are fetched again after so many milliseconds. */
const LIVE_MS = 60_000;

const buildKey = (name: string, { project, query }: Scope) => ['analytics', name, project, query] as const;

/** While figures of another range are fetched those of this one stay, dimmed; another project's never do. */
function screen(name: string, scope: Scope) {
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
    ...screen('overview', scope),
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.overview, buildInput(scope, signal))).overview,
  });
}

export function usePerformance(scope: Scope) {
  return useQuery({
    ...screen('performance', scope),
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.performance, buildInput(scope, signal))).performance,
  });
}

export function useErrors(scope: Scope) {
  return useQuery({
    ...screen('errors', scope),
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.errors, buildInput(scope, signal))).errors,
  });
}

export function useFlows(scope: Scope) {
  return useQuery({
    ...screen('flows', scope),
    queryFn: async ({ signal }) => (await api.call(routes.analytics.flows, buildInput(scope, signal))).flows,
  });
}

export function useSystem(scope: Scope) {
  return useQuery({
    ...screen('system', scope),
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.system, buildInput(scope, signal))).system,
  });
}

export function useUsers(scope: Scope) {
  return useQuery({
    ...screen('users', scope),
    queryFn: async ({ signal }) => (await api.call(routes.analytics.users, buildInput(scope, signal))).users,
  });
}

export function useBusiness(scope: Scope) {
  return useQuery({
    ...screen('business', scope),
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.business, buildInput(scope, signal))).business,
  });
}

export function useInsights(scope: Scope) {
  return useQuery({
    ...screen('insights', scope),
    queryFn: async ({ signal }) =>
      (await api.call(routes.analytics.insights, buildInput(scope, signal))).insights,
  });
}

/** Hides a finding, or shows it again. Settled once the findings are read again, so that the list has changed when the focus moves. */
export function useDecideInsight(projectId: string, findingId: string) {
  const client = useQueryClient();
  return useAction({
    mutationFn: async (body: NewFindingDecision) => {
      await api.call(routes.analytics.decideInsight, { params: { id: projectId, findingId }, body });
      await client.invalidateQueries({ queryKey: ['analytics', 'insights', projectId] });
    },
  });
}

/** The findings in words; slow, so only when somebody asks. */
export function useInsightsSummary(scope: Scope) {
  return useAction({
    mutationFn: async () =>
      (
        await api.call(routes.analytics.insightsSummary, {
          params: { id: scope.project },
          query: scope.query,
        })
      ).summary,
  });
}

/** The filter values that exist in the range. */
export function useFilters(scope: Scope, enabled: boolean) {
  return useQuery({
    ...screen('filters', scope),
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

/** When the first and the last trace of a project started. */
export function useExtent(project: string, enabled: boolean) {
  return useQuery({
    queryKey: ['analytics', 'extent', project],
    // The range of an open page does not change under its reader.
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

/** Says which endpoints the project's funnel is made of. */
export function useSetFunnel(scope: Scope) {
  const client = useQueryClient();
  return useAction({
    mutationFn: (steps: readonly FunnelStepInput[]) =>
      api.call(routes.analytics.setFunnel, { params: { id: scope.project }, body: { steps: [...steps] } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['analytics', 'business', scope.project] }),
  });
}
