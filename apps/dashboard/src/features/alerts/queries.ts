import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type AlertIncident, type AlertRule, type BodyOf, type QueryOf, routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { useAction } from '../../shell/use-action.ts';

const keys = {
  rules: (projectId: string) => ['alerts', projectId, 'rules'] as const,
  incidents: (projectId: string, listing: IncidentListing) =>
    ['alerts', projectId, 'incidents', listing] as const,
  deliveries: (projectId: string) => ['alerts', projectId, 'deliveries'] as const,
};

/** Polling interval of the alert rules with their states, in milliseconds. The server evaluates the rules once a minute. */
const RULES_MS = 30_000;
/** Polling interval of incidents and messages while a message waits for its delivery, in milliseconds. */
const BUSY_MS = 2_000;
const IDLE_MS = 30_000;

export type RuleBody = BodyOf<typeof routes.alerts.create>;

export function useAlerts(projectId: string) {
  return useQuery({
    queryKey: keys.rules(projectId),
    queryFn: ({ signal }) => api.call(routes.alerts.list, { params: { id: projectId }, signal }),
    refetchInterval: RULES_MS,
  });
}

export function useDeliveries(projectId: string) {
  return useQuery({
    queryKey: keys.deliveries(projectId),
    queryFn: ({ signal }) => api.call(routes.alerts.deliveries, { params: { id: projectId }, signal }),
    select: (answer) => answer.deliveries,
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((delivery) => delivery.state === 'waiting') === true ? BUSY_MS : IDLE_MS,
  });
}

/** The filter, the order and the search of the list of incidents. */
export type IncidentListing = Pick<
  QueryOf<typeof routes.alerts.incidents>,
  'ruleId' | 'state' | 'sort' | 'order' | 'search'
>;

const FIRST_PAGE: string | undefined = undefined;

/** Fetches a project's incidents, page by page. */
export function useIncidents(projectId: string, listing: IncidentListing) {
  return useInfiniteQuery({
    queryKey: keys.incidents(projectId, listing),
    queryFn: ({ pageParam, signal }) =>
      api.call(routes.alerts.incidents, {
        params: { id: projectId },
        query: {
          ...listing,
          ...(pageParam === undefined ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ incidents }) => incidents),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ incidents }) => incidents.some(isBusy)) === true ? BUSY_MS : IDLE_MS,
  });
}

/** True while a message of the incident waits for its first delivery attempt. */
function isBusy({ deliveries }: AlertIncident): boolean {
  return deliveries.some(({ state, attempts }) => state === 'waiting' && attempts === 0);
}

const refresh = (client: QueryClient, projectId: string) =>
  void client.invalidateQueries({ queryKey: ['alerts', projectId] });

/** Creates a rule, or changes the given rule. */
export function useSaveRule(projectId: string, rule: AlertRule | undefined) {
  const client = useQueryClient();
  return useAction({
    failure: 'The alert could not be saved.',
    mutationFn: (body: RuleBody) =>
      rule === undefined
        ? api.call(routes.alerts.create, { params: { id: projectId }, body })
        : api.call(routes.alerts.update, { params: { id: projectId, ruleId: rule.id }, body }),
    onSettled: () => refresh(client, projectId),
  });
}

export function useDeleteRule(projectId: string, { id }: AlertRule) {
  const client = useQueryClient();
  return useAction({
    failure: 'The alert could not be deleted.',
    mutationFn: () => api.call(routes.alerts.remove, { params: { id: projectId, ruleId: id } }),
    onSettled: () => refresh(client, projectId),
  });
}

export function useTestRule(projectId: string, { id }: AlertRule) {
  const client = useQueryClient();
  return useAction({
    failure: 'The test could not be sent.',
    mutationFn: () => api.call(routes.alerts.test, { params: { id: projectId, ruleId: id } }),
    onSettled: () => refresh(client, projectId),
  });
}
