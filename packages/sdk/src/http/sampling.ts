import type { TracedRequest } from './traced-message.ts';
import { parseTraceParent } from './traceparent.ts';

/**
 * Whether a request is recorded with its steps. One that continues a trace is decided by the trace's id, so that services with the same rate
 * keep the same traces; any other by chance. Headers are read only where they matter: Node parses them when they are first asked for.
 */
export function isSampled(rate: number, req: Pick<TracedRequest, 'headers'>): boolean {
  if (rate >= 1) return true;
  if (rate <= 0) return false;
  const parent = parseTraceParent(req.headers.traceparent);
  if (parent === undefined) return Math.random() < rate;
  return Number.parseInt(parent.traceId.slice(-8), 16) / 2 ** 32 < rate;
}
