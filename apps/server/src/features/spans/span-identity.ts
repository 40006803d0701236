import { deriveId } from '../../platform/ids.ts';
import type { TraceKey } from './store.ts';

/** Derives the trace id (`_id`) of a request from its span. The same span always gets the same id. */
export function deriveTraceId({ projectId, traceId }: TraceKey, spanId: string, startMs: bigint): string {
  return deriveId(`${projectId} ${traceId} ${spanId}`, Number(startMs));
}
