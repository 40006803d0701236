import type { TraceParent } from './traceparent.ts';

/**
 * Whether a request is recorded with its steps. A request that continues a trace is decided by the trace's id, so that services with the
 * same rate keep the same traces; any other by chance.
 */
export function isSampled(rate: number, parent: TraceParent | undefined): boolean {
  if (rate >= 1) return true;
  if (rate <= 0) return false;
  if (parent === undefined) return Math.random() < rate;
  return Number.parseInt(parent.traceId.slice(-8), 16) / 2 ** 32 < rate;
}
