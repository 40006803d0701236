import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { deriveId, type ProjectId } from '../../../platform/ids.ts';
import { timeOfTraceId } from '../../../platform/trace-store/index.ts';
import { deriveTraceId } from '../../spans/index.ts';

/** The id under which a trace is stored, and the fields that identify the trace if it is sent again. */
export interface Identity {
  readonly id: string;
  /** The time encoded in `id`. */
  readonly idTimeMs: number;
  /** Trace id and span id, if they identify the trace instead of `id`. */
  readonly pair: { readonly traceId: string; readonly spanId: string } | undefined;
}

/**
 * Determines a trace's identity. Uses `_id` if it was sent, otherwise trace id and span id if both were sent; the id is then derived as for
 * OpenTelemetry spans. Otherwise, in a batch with an idempotency key, the id is derived from the key and the trace's index, so that a retry
 * after a crash finds the stored trace. In all other cases the trace is new.
 */
export function identify(
  sent: {
    readonly _id?: string | undefined;
    readonly traceId?: string | undefined;
    readonly spanId?: string | null | undefined;
  },
  startMicros: bigint,
  place: { readonly projectId: ProjectId; readonly batchKey: string | undefined; readonly index: number },
): Identity {
  if (sent._id !== undefined) {
    const id = sent._id.toLowerCase();
    return { id, idTimeMs: timeOfTraceId(id), pair: undefined };
  }
  const msecs = Number(startMicros / 1000n);
  if (sent.traceId !== undefined && typeof sent.spanId === 'string') {
    const pair = { traceId: sent.traceId, spanId: sent.spanId };
    const id = deriveTraceId(
      { projectId: place.projectId, traceId: pair.traceId },
      pair.spanId,
      BigInt(msecs),
    );
    return { id, idTimeMs: timeOfTraceId(id), pair };
  }
  const id =
    place.batchKey === undefined
      ? v7({ msecs })
      : deriveId(`${place.projectId} ${place.batchKey} ${place.index}`, msecs);
  return { id, idTimeMs: timeOfTraceId(id), pair: undefined };
}

/** Hashes an idempotency key of any length to the size of a UUID. */
export function hashOfBatchKey(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
