import { type AnalyticsRange, formatInstant, type PerformanceAnalytics } from '@throughline/contract';
import type { RequestFigures } from '../../rollups/index.ts';
import { buildEndpointFilter, traceLink } from '../links.ts';
import type { Scope } from '../scope.ts';
import type { Sources } from '../sources.ts';
import { findHeatmap } from '../store.ts';
import {
  buildEndpointFigures,
  buildPreviousParts,
  compareByRequests,
  formatEndpoint,
  groupByPart,
} from './stats.ts';

const SLOWEST = 20;

export async function readPerformance(
  { store, rollups, listed }: Sources,
  scope: Scope,
  range: AnalyticsRange,
): Promise<PerformanceAnalytics> {
  const { project, reading, previous } = scope;
  const sets = [['part'], ['method', 'endpoint']] as const;
  const [[ofParts = [], endpoints = []], [partsBefore = [], earlier = []] = [], slowest, latencyHeatmap] =
    await Promise.all([
      rollups.requestSets(project, reading, sets),
      previous && rollups.requestSets(project, previous, sets),
      listed(scope, 'duration', SLOWEST),
      readHeatmap(store, scope),
    ]);
  const parts = groupByPart(ofParts);
  const earlierParts = groupByPart(partsBefore);
  const before = new Map(earlier.map((figures) => [formatEndpoint(figures), figures]));
  return {
    range,
    timeSeries: reading.parts.map((part) => buildPart(part, parts)),
    previousTimeSeries: buildPreviousParts(scope, (part) => buildPart(part, earlierParts)),
    endpointPerformance: endpoints.sort(compareByRequests(formatEndpoint)).map((figures) => {
      const { method = '', endpoint: path = '' } = figures;
      const then = before.get(formatEndpoint(figures));
      return {
        _id: { method, path },
        ...buildEndpointFigures(figures),
        previous: then === undefined ? null : buildEndpointFigures(then),
        traces: traceLink(scope, buildEndpointFilter(method, path)),
      };
    }),
    slowestRequests: slowest,
    latencyHeatmap,
  };
}

function buildPart(part: bigint, figures: ReadonlyMap<bigint, RequestFigures>) {
  const { maxDuration: _max, errorRate: _rate, ...shown } = buildEndpointFigures(figures.get(part));
  return { time: formatInstant(part), ...shown };
}

/** The lower limits of the duration bands in ms: about six per power of ten. */
const BANDS_MS = [
  0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000,
  10_000, 15_000, 30_000, 60_000,
] as const;

async function readHeatmap(
  store: Sources['store'],
  { project, reading }: Scope,
): Promise<PerformanceAnalytics['latencyHeatmap']> {
  const found = await findHeatmap(
    store,
    project,
    reading,
    BANDS_MS.map((ms) => ms * 1000),
  );
  const times = new Map(reading.parts.map((part, place) => [part, place]));
  const bands = new Map(BANDS_MS.map((ms, place) => [ms * 1000, place]));
  return {
    durations: [...BANDS_MS],
    times: reading.parts.map(formatInstant),
    cells: found.map(({ part, band_micros, requests }) => ({
      time: times.get(part) ?? 0,
      duration: bands.get(band_micros) ?? 0,
      count: requests,
    })),
  };
}
