import { giveBack } from '../../platform/give-back.ts';
import type { Batch } from './commit.ts';

/** Bytes of a batch's rows. */
export function sizeOfBatch({ traces, spans }: Pick<Batch, 'traces' | 'spans'>): number {
  let bytes = 0;
  for (const { traceRow, stepRows } of traces) {
    bytes += traceRow.length;
    for (const piece of stepRows) bytes += piece.length;
  }
  for (const { rows } of spans) bytes += rows.length;
  return bytes;
}

/** Writing a trace's rows takes as long as writing so many bytes more. */
const TRACE_BYTES = 1024;

/** How long a batch of so many bytes takes to be written, in bytes: thousands of tiny traces take longer than one of the same size. */
export function weightOfBatch({ traces }: Pick<Batch, 'traces'>, bytes: number): number {
  return bytes + traces.length * TRACE_BYTES;
}

/** Gives the memory of a batch's rows back, once its answer is known. */
export function giveRowsBack({ traces, spans }: Pick<Batch, 'traces' | 'spans'>): void {
  for (const { traceRow, stepRows } of traces) {
    giveBack(traceRow);
    for (const piece of stepRows) giveBack(piece);
  }
  for (const { rows } of spans) giveBack(rows);
}
