import type { RequestFigures, SystemFigures } from '../../rollups/index.ts';
import type { Scope } from '../scope.ts';

/** Returns a percentage; null if `whole` is 0. */
export function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : (100 * part) / whole;
}

/** Returns an average; null if `count` is 0. */
export function computeAverage(sum: number, count: number): number | null {
  return count === 0 ? null : sum / count;
}

export function computeAverageMs(micros: number, count: number): number | null {
  return count === 0 ? null : micros / count / 1000;
}

/** Builds the response's stats for a group of requests. If `figures` is undefined, the group has no requests. */
export function buildEndpointFigures(figures: RequestFigures | undefined) {
  const requests = figures?.requests ?? 0;
  const [p50, p95, p99] = figures?.durations ?? [];
  const ms = (micros: number | undefined) => (requests === 0 || micros === undefined ? null : micros / 1000);
  return {
    requestCount: requests,
    avgDuration: computeAverageMs(figures?.duration_micros_sum ?? 0, requests),
    p50Duration: ms(p50),
    p95Duration: ms(p95),
    p99Duration: ms(p99),
    maxDuration: ms(figures?.duration_micros_max),
    errorCount: figures?.errors ?? 0,
    errorRate: rate(figures?.errors ?? 0, requests),
  };
}

/** Builds the stats of memory (bytes), CPU (percent) and delay (milliseconds) from the requests that reported them. */
export function buildSystemFigures(figures: SystemFigures | undefined) {
  const { requestCount, avgDuration, errorRate } = buildEndpointFigures(figures);
  return {
    totalRequests: requestCount,
    avgResponseTime: avgDuration,
    errorRate,
    avgMemoryUsage: computeAverage(figures?.heap_used_sum ?? 0, figures?.heap_used_count ?? 0),
    avgCpuUsage: computeAverage(figures?.cpu_usage_sum ?? 0, figures?.cpu_usage_count ?? 0),
    avgEventLoopDelay: computeAverage(
      figures?.event_loop_delay_sum ?? 0,
      figures?.event_loop_delay_count ?? 0,
    ),
  };
}

/**
 * Builds an entry for each interval of the previous period. Leaves out intervals beyond the number of intervals of the range. Returns null
 * without a previous period.
 */
export function buildPreviousParts<Entry>(
  { reading, previous }: Pick<Scope, 'reading' | 'previous'>,
  build: (part: bigint) => Entry,
): Entry[] | null {
  return previous === undefined ? null : previous.parts.slice(0, reading.parts.length).map(build);
}

/** Builds a function that sorts groups by number of requests, the largest number first, and groups with equal numbers by name. */
export function compareByRequests(
  name: (one: RequestFigures) => string,
): (a: RequestFigures, b: RequestFigures) => number {
  return (a, b) => b.requests - a.requests || (name(a) < name(b) ? -1 : 1);
}

export function formatEndpoint({
  method = '',
  endpoint = '',
}: Pick<RequestFigures, 'method' | 'endpoint'>): string {
  return `${method} ${endpoint}`;
}

/** Maps the start of each interval of the range to the stats of that interval. */
export function groupByPart<Figures extends RequestFigures>(
  all: readonly Figures[],
): ReadonlyMap<bigint, Figures> {
  return new Map(all.flatMap((figures) => (figures.part === undefined ? [] : [[figures.part, figures]])));
}
