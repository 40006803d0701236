import { type AnalyticsRange, type ErrorsAnalytics, microsToInstant } from '@throughline/contract';
import type { Reading } from '../rollups/index.ts';
import { byPart, endpointFigures, endpointName, rate } from './figures.ts';
import { endpointFilter, traceLink } from './links.ts';
import type { Scope } from './scope.ts';
import type { Sources } from './sources.ts';
import { findErrorEndpoints, findErrorGroups, findErrorStatuses } from './store.ts';

const GROUPS = 500;

export async function errors(
  sources: Sources,
  scope: Scope,
  range: AnalyticsRange,
): Promise<ErrorsAnalytics> {
  const { store, rollups } = sources;
  const { project, reading, previous } = scope;
  const parts = byPart(await rollups.requests(project, reading, ['part']));
  const { metrics, endpoints } = await totals(sources, scope, reading);
  const requests = new Map(endpoints.map((figures) => [endpointName(figures), figures.requests]));
  const groups = await findErrorGroups(store, project, reading, GROUPS);
  const breakdown = await findErrorEndpoints(store, project, reading);
  const statuses = await findErrorStatuses(store, project, reading);
  return {
    range,
    metrics,
    previous: previous === undefined ? null : (await totals(sources, scope, previous)).metrics,
    trends: reading.parts.map((part) => {
      const { errorCount, requestCount, errorRate } = endpointFigures(parts.get(part));
      return { time: microsToInstant(part), errorCount, requestCount, errorRate };
    }),
    commonErrors: groups.map((group) => ({
      message: group.message,
      count: group.errors,
      lastOccurrence: microsToInstant(group.last),
      firstOccurrence: microsToInstant(group.first),
      example: { message: group.example_message, traceId: group.example_id },
      endpointCount: group.endpoints,
      userCount: group.users,
    })),
    breakdown: breakdown.map(({ method, path, errors: errorCount, messages }) => {
      const requestCount = requests.get(`${method} ${path}`) ?? errorCount;
      return {
        method,
        path,
        errorCount,
        uniqueErrorCount: messages,
        requestCount,
        errorRate: rate(errorCount, requestCount),
        traces: traceLink(scope, { ...endpointFilter(method, path), status: 'error' }),
      };
    }),
    statusCodes: statuses.map(({ status_code, errors: count }) => ({
      statusCode: status_code,
      count,
      traces: traceLink(scope, { status: 'error', statusCode: String(status_code) }),
    })),
  };
}

async function totals({ rollups }: Sources, { project }: Scope, reading: Reading) {
  const endpoints = await rollups.requests(project, reading, ['method', 'endpoint']);
  const errorCount = endpoints.reduce((sum, figures) => sum + figures.errors, 0);
  const requestCount = endpoints.reduce((sum, figures) => sum + figures.requests, 0);
  const affectedEndpoints = endpoints.filter((figures) => figures.errors > 0).length;
  return { endpoints, metrics: { errorCount, errorRate: rate(errorCount, requestCount), affectedEndpoints } };
}
