import { findRate, type RouteRate } from './route-rates.ts';
import { parseTarget } from './target.ts';
import type { TracedRequest } from './traced-message.ts';
import { parseTraceParent } from './traceparent.ts';

/** Which requests are recorded with their steps. */
export interface Sampling {
  /** The share of all requests, 0 to 1. */
  readonly rate: number;
  /** Those of single routes go first. */
  readonly routes: readonly RouteRate[];
  /** Whether a request that continues a trace is recorded where its caller says that it was, and only there. */
  readonly followParent: boolean;
}

/**
 * Whether a request is recorded with its steps. One that continues a trace is decided by its caller where that is followed, else by the trace's
 * id, so that services keep the same traces, those with a lower rate some of them; any other by chance. Headers are read only where they
 * matter: Node parses them when they are first asked for.
 */
export function isSampled(
  sampling: Sampling,
  req: Pick<TracedRequest, 'method' | 'url' | 'headers'>,
): boolean {
  const routeRate = rateOfRoute(sampling.routes, req);
  const rate = routeRate ?? sampling.rate;
  const follows = sampling.followParent && routeRate === undefined;
  if (!follows && rate >= 1) return true;
  if (!follows && rate <= 0) return false;
  const parent = parseTraceParent(req.headers.traceparent);
  if (parent === undefined) return Math.random() < rate;
  return follows ? parent.sampled : Number.parseInt(parent.traceId.slice(-8), 16) / 2 ** 32 < rate;
}

function rateOfRoute(
  routes: readonly RouteRate[],
  { method, url }: Pick<TracedRequest, 'method' | 'url'>,
): number | undefined {
  if (routes.length === 0) return undefined;
  return findRate(routes, method ?? 'GET', parseTarget(url ?? '/', undefined, false).path);
}
