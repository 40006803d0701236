import type { AnalyticsRange, BusinessAnalytics, Funnel } from '@throughline/contract';
import { endpointName, rate } from './figures.ts';
import { endpointFilter, traceLink } from './links.ts';
import type { Scope } from './scope.ts';
import type { Sources } from './sources.ts';
import { findFunnelLevels, findUsage } from './users-store.ts';

export async function business(
  { store }: Pick<Sources, 'store'>,
  scope: Scope,
  range: AnalyticsRange,
  funnel: Funnel,
): Promise<BusinessAnalytics> {
  const { project, reading } = scope;
  const { endpoints, features, ...all } = await findUsage(store, project, reading);
  const levels =
    funnel.steps.length === 0
      ? new Map<number, number>()
      : await findFunnelLevels(store, project, reading, funnel.steps);
  return {
    range,
    endpointUsage: endpoints.map(({ method, path, requests }) => ({
      method,
      path,
      endpoint: endpointName({ method, endpoint: path }),
      requestCount: requests,
      usageRate: rate(requests, all.requests),
      traces: traceLink(scope, endpointFilter(method, path)),
    })),
    featureUsage: features.map(({ feature, requests, users }) => ({
      feature: feature === '' ? '/' : feature,
      requestCount: requests,
      usageRate: rate(requests, all.requests),
      userCount: users,
      adoptionRate: rate(users, all.users),
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
