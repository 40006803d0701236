import { hash } from 'node:crypto';
import { v7 } from 'uuid';
import type { TraceKey } from './store.ts';

/** Derives the trace id (`_id`) of a request from its span. The same span always gets the same id. */
export function idOfSpan({ projectId, traceId }: TraceKey, spanId: string, startMs: bigint): string {
  const random = hash('sha256', `${projectId} ${traceId} ${spanId}`, 'buffer');
  return v7({ msecs: Number(startMs), random: random.subarray(0, 16), seq: random.readInt32BE(16) });
}
