import { releaseBuffer } from '../../../platform/buffers/release-buffer.ts';
import type { Batch } from './batch.ts';

/** Returns the number of bytes of a batch's rows. */
export function measureBatch({ traces, spans }: Pick<Batch, 'traces' | 'spans'>): number {
  let bytes = 0;
  for (const { traceRow, searchFields, stepRows, sourceRows } of traces) {
    bytes += traceRow.length + searchFields.length + sourceRows.length;
    for (const piece of stepRows) bytes += piece.length;
  }
  for (const { rows } of spans) bytes += rows.length;
  return bytes;
}

/**
 * Fixed cost of storing a trace, in addition to writing its rows. It is expressed as the number of bytes that are written in the same time.
 */
const TRACE_BYTES = 1024;

/**
 * Estimates how long writing a batch takes, expressed in bytes: thousands of tiny traces take longer than one trace with the same number of
 * bytes.
 */
export function estimateBatchWeight({ traces }: Pick<Batch, 'traces'>, bytes: number): number {
  return bytes + traces.length * TRACE_BYTES;
}

/** Frees the memory of a batch's rows once the batch's response is known. */
export function releaseRows({ traces, spans }: Pick<Batch, 'traces' | 'spans'>): void {
  for (const { traceRow, searchFields, stepRows, sourceRows } of traces) {
    releaseBuffer(traceRow);
    releaseBuffer(searchFields);
    releaseBuffer(sourceRows);
    for (const piece of stepRows) releaseBuffer(piece);
  }
  for (const { rows } of spans) releaseBuffer(rows);
}
