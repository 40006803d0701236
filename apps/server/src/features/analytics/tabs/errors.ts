import { type AnalyticsRange, type ErrorsAnalytics, formatInstant } from '@throughline/contract';
import type { RequestFigures } from '../../rollups/index.ts';
import { buildEndpointFilter, traceLink } from '../links.ts';
import type { Scope } from '../scope.ts';
import type { Sources } from '../sources.ts';
import { findErrors } from '../store.ts';
import { buildEndpointFigures, buildPreviousParts, formatEndpoint, groupByPart, rate } from './stats.ts';

const GROUPS = 500;

export async function readErrors(
  sources: Sources,
  scope: Scope,
  range: AnalyticsRange,
): Promise<ErrorsAnalytics> {
  const { store, rollups } = sources;
  const { project, reading, previous } = scope;
  const sets = [['part'], ['method', 'endpoint']] as const;
  const [[ofParts = [], endpoints = []], found, [partsBefore = [], before] = []] = await Promise.all([
    rollups.requestSets(project, reading, sets),
    findErrors(store, project, reading, GROUPS),
    previous && rollups.requestSets(project, previous, sets),
  ]);
  const { groups, breakdown, statuses } = found;
  const parts = groupByPart(ofParts);
  const earlierParts = groupByPart(partsBefore);
  const requests = new Map(endpoints.map((figures) => [formatEndpoint(figures), figures.requests]));
  return {
    range,
    metrics: sumTotals(endpoints),
    previous: before === undefined ? null : sumTotals(before),
    trends: reading.parts.map((part) => buildTrend(part, parts)),
    previousTrends: buildPreviousParts(scope, (part) => buildTrend(part, earlierParts)),
    commonErrors: groups.map((group) => ({
      message: group.message,
      count: group.errors,
      lastOccurrence: formatInstant(group.last),
      firstOccurrence: formatInstant(group.first),
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
        traces: traceLink(scope, { ...buildEndpointFilter(method, path), status: 'error' }),
      };
    }),
    statusCodes: statuses.map(({ status_code, errors: count }) => ({
      statusCode: status_code,
      count,
      traces: traceLink(scope, { status: 'error', statusCode: String(status_code) }),
    })),
  };
}

function buildTrend(part: bigint, figures: ReadonlyMap<bigint, RequestFigures>) {
  const { errorCount, requestCount, errorRate } = buildEndpointFigures(figures.get(part));
  return { time: formatInstant(part), errorCount, requestCount, errorRate };
}

function sumTotals(endpoints: readonly RequestFigures[]): ErrorsAnalytics['metrics'] {
  const errorCount = endpoints.reduce((sum, figures) => sum + figures.errors, 0);
  const requestCount = endpoints.reduce((sum, figures) => sum + figures.requests, 0);
  const affectedEndpoints = endpoints.filter((figures) => figures.errors > 0).length;
  return { errorCount, errorRate: rate(errorCount, requestCount), affectedEndpoints };
}
