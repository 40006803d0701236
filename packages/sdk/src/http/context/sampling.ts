import type { TracedRequest } from '../messages/traced-message.ts';
import { parseTarget } from '../target.ts';
import { findRate, type RouteRate } from './route-rates.ts';
import { parseTraceParent } from './traceparent.ts';

/** Which requests are recorded with their steps. */
export interface Sampling {
  /** The share of all requests, 0 to 1. */
  readonly rate: number;
  /** Rates of single routes, which come first. */
  readonly routes: readonly RouteRate[];
  /** True if a request that continues a trace is recorded only if its caller was. */
  readonly followParent: boolean;
}

/**
 * Decides if a request is recorded with its steps. For a request that continues a trace, the caller decides if it is followed, otherwise
 * the trace id, so that services keep the same traces. Chance decides for all others. Headers are read only if needed, since Node parses
 * them at the first read.
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
