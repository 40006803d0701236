import { type AnalyticsRange, formatInstant, type OverviewAnalytics } from '@throughline/contract';
import type { RequestFigures } from '../../rollups/index.ts';
import { buildEndpointFilter, traceLink } from '../links.ts';
import type { Scope } from '../scope.ts';
import type { Sources } from '../sources.ts';
import {
  buildEndpointFigures,
  buildPreviousParts,
  compareByRequests,
  formatEndpoint,
  groupByPart,
} from './stats.ts';

const RECENT = 20;

export async function readOverview(
  { rollups, listed }: Sources,
  scope: Scope,
  range: AnalyticsRange,
): Promise<OverviewAnalytics> {
  const { project, reading, previous } = scope;
  const sets = [[], ['method', 'endpoint'], ['part', 'statusClass']] as const;
  const [[[total] = [], endpoints = [], parts = []], earlier, recent] = await Promise.all([
    rollups.requestSets(project, reading, sets),
    previous && rollups.requestSets(project, previous, [[], ['part']]),
    listed(scope, 'time', RECENT),
  ]);
  const classes = [...Map.groupBy(parts, ({ statusClass = 0 }) => statusClass)];
  const ofParts = Map.groupBy(parts, ({ part }) => part);
  const [before = [], partsBefore = []] = earlier ?? [];
  const earlierParts = groupByPart(partsBefore);
  const requests = total?.requests ?? 0;
  const errors = total?.errors ?? 0;
  return {
    range,
    metrics: computeMetrics(total),
    previous: earlier === undefined ? null : computeMetrics(before[0]),
    recentTraces: recent,
    topEndpoints: endpoints.sort(compareByRequests(formatEndpoint)).map((figures) => {
      const { requestCount, avgDuration, errorCount, errorRate } = buildEndpointFigures(figures);
      const { method = '', endpoint: path = '' } = figures;
      const traces = traceLink(scope, buildEndpointFilter(method, path));
      return { method, path, count: requestCount, avgDuration, errorCount, errorRate, traces };
    }),
    requestVolume: reading.parts.map((part) => {
      const some = ofParts.get(part) ?? [];
      return {
        time: formatInstant(part),
        requestCount: sum(some, (figures) => figures.requests),
        errorCount: sum(some, (figures) => figures.errors),
      };
    }),
    previousVolume: buildPreviousParts(scope, (part) => {
      const { requestCount, errorCount } = buildEndpointFigures(earlierParts.get(part));
      return { time: formatInstant(part), requestCount, errorCount };
    }),
    outcome: { success: requests - errors, error: errors },
    statusClasses: classes
      .map(([statusClass, some]) => ({ statusClass, count: sum(some, (figures) => figures.requests) }))
      .sort((a, b) => a.statusClass - b.statusClass),
  };
}

function computeMetrics(figures: RequestFigures | undefined): OverviewAnalytics['metrics'] {
  const { requestCount, errorCount, maxDuration: _max, ...rest } = buildEndpointFigures(figures);
  return { totalTraces: requestCount, errorTraces: errorCount, ...rest };
}

function sum(all: readonly RequestFigures[], of: (figures: RequestFigures) => number): number {
  return all.reduce((total, figures) => total + of(figures), 0);
}
