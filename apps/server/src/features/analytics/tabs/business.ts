import type { AnalyticsRange, BusinessAnalytics, Funnel } from '@throughline/contract';
import type { Reading, Shown } from '../../rollups/index.ts';
import { buildEndpointFilter, traceLink } from '../links.ts';
import type { Scope } from '../scope.ts';
import type { Sources } from '../sources.ts';
import { findFunnelLevels, findUsage } from '../users-store.ts';
import { formatEndpoint, rate } from './stats.ts';

export async function readBusiness(
  { store }: Pick<Sources, 'store'>,
  scope: Scope,
  range: AnalyticsRange,
  funnel: Funnel,
): Promise<BusinessAnalytics> {
  const { project, reading, previous } = scope;
  const [now, before] = await Promise.all([
    computeUsage(store, project, reading, funnel),
    previous && computeUsage(store, project, previous, funnel),
  ]);
  return {
    range,
    endpointUsage: now.endpoints.map(({ method, path, requests }) => {
      const endpoint = formatEndpoint({ method, endpoint: path });
      return {
        method,
        path,
        endpoint,
        ...now.usage(requests),
        previous: before?.usage(before.requestsOf.get(endpoint) ?? 0) ?? null,
        traces: traceLink(scope, buildEndpointFilter(method, path)),
      };
    }),
    featureUsage: now.features.map(({ feature, requests, users }) => {
      const was = before?.features.find((one) => one.feature === feature);
      return {
        feature: feature === '' ? '/' : feature,
        ...now.adoption(requests, users),
        previous: before?.adoption(was?.requests ?? 0, was?.users ?? 0) ?? null,
      };
    }),
    conversionFunnel: {
      defined: funnel.steps.length > 0,
      steps: funnel.steps.map((step, at) => ({
        ...step,
        name: step.name === '' ? `${step.method} ${step.path}` : step.name,
        ...now.conversion(at),
        previous: before?.conversion(at) ?? null,
      })),
    },
  };
}

/** Computes the usage of all endpoints and features in a period, and how far users came in a funnel. */
async function computeUsage(store: Sources['store'], project: Shown, reading: Reading, { steps }: Funnel) {
  const [{ endpoints, features, ...all }, levels] = await Promise.all([
    findUsage(store, project, reading),
    steps.length === 0 ? new Map<number, number>() : findFunnelLevels(store, project, reading, steps),
  ]);
  const reached = (at: number) =>
    [...levels].reduce((sum, [level, people]) => (level > at ? sum + people : sum), 0);
  const usage = (requests: number) => ({
    requestCount: requests,
    usageRate: rate(requests, all.requests),
  });
  return {
    endpoints,
    features,
    requestsOf: new Map(
      endpoints.map(({ method, path, requests }) => [formatEndpoint({ method, endpoint: path }), requests]),
    ),
    usage,
    adoption: (requests: number, users: number) => ({
      ...usage(requests),
      userCount: users,
      adoptionRate: rate(users, all.users),
    }),
    conversion: (at: number) => ({
      userCount: reached(at),
      conversionRate: rate(reached(at), reached(0)),
      stepRate: at === 0 ? null : rate(reached(at), reached(at - 1)),
    }),
  };
}
