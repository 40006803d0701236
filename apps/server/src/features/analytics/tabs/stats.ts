import type { RequestFigures, SystemFigures } from '../../rollups/index.ts';

/** A percentage; null of nothing. */
export function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : (100 * part) / whole;
}

/** An average; null of nothing. */
export function average(sum: number, count: number): number | null {
  return count === 0 ? null : sum / count;
}

export function averageMs(micros: number, count: number): number | null {
  return count === 0 ? null : micros / count / 1000;
}

/** Builds the stats of a group of requests in the answers' form; of no requests where there are none. */
export function endpointFigures(figures: RequestFigures | undefined) {
  const requests = figures?.requests ?? 0;
  const [p50, p95, p99] = figures?.durations ?? [];
  const ms = (micros: number | undefined) => (requests === 0 || micros === undefined ? null : micros / 1000);
  return {
    requestCount: requests,
    avgDuration: averageMs(figures?.duration_micros_sum ?? 0, requests),
    p50Duration: ms(p50),
    p95Duration: ms(p95),
    p99Duration: ms(p99),
    maxDuration: ms(figures?.duration_micros_max),
    errorCount: figures?.errors ?? 0,
    errorRate: rate(figures?.errors ?? 0, requests),
  };
}

/** The same of the requests that said so: memory in bytes, CPU in percent, delay in milliseconds. */
export function systemFigures(figures: SystemFigures | undefined) {
  const { requestCount, avgDuration, errorRate } = endpointFigures(figures);
  return {
    totalRequests: requestCount,
    avgResponseTime: avgDuration,
    errorRate,
    avgMemoryUsage: average(figures?.heap_used_sum ?? 0, figures?.heap_used_count ?? 0),
    avgCpuUsage: average(figures?.cpu_usage_sum ?? 0, figures?.cpu_usage_count ?? 0),
    avgEventLoopDelay: average(figures?.event_loop_delay_sum ?? 0, figures?.event_loop_delay_count ?? 0),
  };
}

/** The busiest first; equally busy ones by name. */
export function byRequests(
  name: (one: RequestFigures) => string,
): (a: RequestFigures, b: RequestFigures) => number {
  return (a, b) => b.requests - a.requests || (name(a) < name(b) ? -1 : 1);
}

export function endpointName({
  method = '',
  endpoint = '',
}: Pick<RequestFigures, 'method' | 'endpoint'>): string {
  return `${method} ${endpoint}`;
}

/** Figures by the beginning of the part that they are of. */
export function byPart<Figures extends RequestFigures>(
  all: readonly Figures[],
): ReadonlyMap<bigint, Figures> {
  return new Map(all.flatMap((figures) => (figures.part === undefined ? [] : [[figures.part, figures]])));
}
