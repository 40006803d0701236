import type { AnalyticsRange, BusinessAnalytics, Funnel } from '@throughline/contract';
import { byRequests, endpointName, rate } from './figures.ts';
import { endpointFilter, traceLink } from './links.ts';
import type { Scope } from './scope.ts';
import type { Sources } from './sources.ts';
import { countUsers, findFeatures, findFunnelLevels } from './users-store.ts';

export async function business(
  { store, rollups }: Sources,
  scope: Scope,
  range: AnalyticsRange,
  funnel: Funnel,
): Promise<BusinessAnalytics> {
  const { project, reading } = scope;
  const endpoints = await rollups.requests(project, reading, ['method', 'endpoint']);
  const all = endpoints.reduce((sum, { requests }) => sum + requests, 0);
  const features = await findFeatures(store, project, reading);
  const everybody = await countUsers(store, project, reading);
  const levels =
    funnel.steps.length === 0
      ? new Map<number, number>()
      : await findFunnelLevels(store, project, reading, funnel.steps);
  return {
    range,
    endpointUsage: endpoints.sort(byRequests(endpointName)).map((figures) => {
      const { method = '', endpoint: path = '', requests } = figures;
      return {
        method,
        path,
        endpoint: endpointName(figures),
        requestCount: requests,
        usageRate: rate(requests, all),
        traces: traceLink(scope, endpointFilter(method, path)),
      };
    }),
    featureUsage: features.map(({ feature, requests, users }) => ({
      feature: feature === '' ? '/' : feature,
      requestCount: requests,
      usageRate: rate(requests, all),
      userCount: users,
      adoptionRate: rate(users, everybody),
    })),
    conversionFunnel: { defined: funnel.steps.length > 0, steps: conversion(funnel, levels) },
  };
}

function conversion(
  { steps }: Funnel,
  levels: ReadonlyMap<number, number>,
): BusinessAnalytics['conversionFunnel']['steps'] {
  const reached = steps.map((_step, at) =>
    [...levels].reduce((sum, [level, people]) => (level > at ? sum + people : sum), 0),
  );
  const [first = 0] = reached;
  return steps.map((step, at) => {
    const userCount = reached[at] ?? 0;
    const before = reached[at - 1];
    return {
      ...step,
      name: step.name === '' ? `${step.method} ${step.path}` : step.name,
      userCount,
      conversionRate: rate(userCount, first),
      stepRate: before === undefined ? null : rate(userCount, before),
    };
  });
}
