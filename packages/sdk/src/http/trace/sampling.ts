import { findRate, type RouteRate } from '../context/route-rates.ts';
import { parseTraceParent } from '../context/traceparent.ts';
import { readSentStatus } from '../messages/headers.ts';
import type { TracedRequest } from '../messages/traced-message.ts';
import { parseTarget } from '../target.ts';
import type { RequestTrace } from './request-trace.ts';

/** Settings that decide which requests are recorded with steps. */
export interface Sampling {
  /** Share of all requests to record, 0 to 1. */
  readonly rate: number;
  /** Rates of single routes. They take precedence over `rate`. */
  readonly routes: readonly RouteRate[];
  /** True if a request that continues a trace is recorded if, and only if, the caller's `traceparent` is sampled. */
  readonly followParent: boolean;
}

/**
 * True if a request is recorded with steps. The route's own rate applies, otherwise the service's rate. If the request continues a trace,
 * the trace id decides, so that services with the same rate record the same traces. With `followParent`, the caller's flag decides instead,
 * unless the route has a rate. Other requests are chosen at random. Headers are read only if needed, because Node parses them at the first
 * access.
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

/** Returns why a request that was not sampled is sent anyway, without steps: the request failed or was slow. */
export function findReasonToSend(
  { reported, res }: Pick<RequestTrace, 'reported' | 'res'>,
  durationMs: number,
  slowMs: number,
): 'error' | 'slow' | undefined {
  if (reported !== undefined || !res.headersSent || readSentStatus(res) >= 500) return 'error';
  return durationMs >= slowMs ? 'slow' : undefined;
}

function rateOfRoute(
  routes: readonly RouteRate[],
  { method, url }: Pick<TracedRequest, 'method' | 'url'>,
): number | undefined {
  if (routes.length === 0) return undefined;
  return findRate(routes, method ?? 'GET', parseTarget(url ?? '/', undefined, false).path);
}
