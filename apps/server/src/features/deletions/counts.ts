import type { RowsByTable } from '@throughline/contract';
import { type TraceStore, timeOfTraceId } from '../../platform/trace-store/index.ts';
import { countFigures, countSent, type OutdatedRollups, type Sent } from './rows-store.ts';
import type { ReceiptRow } from './store.ts';

/**
 * Returns which rows a receipt counts. Returns undefined for a deleted trace or user: the receipt does not contain enough to find the rows
 * of the trace or user, so only the deletion itself can count these rows.
 */
export function toSent({ what, projectId, requestedAt }: ReceiptRow, now: Date): Sent | undefined {
  if (what === 'project') return { projectId, until: now, batches: true };
  return what === 'traces' ? { projectId, until: requestedAt, batches: false } : undefined;
}

/**
 * Returns the rollups that contained the deleted rows. For a deleted project, these are all its rollups, because a deleted project gets no
 * new rollups. For other deletions, these are the rollups that were built no later than the time in the receipt's id.
 */
export function toOldFigures({ id, what, projectId, hours }: ReceiptRow): OutdatedRollups {
  return { projectId, hours, madeUntilMs: what === 'project' ? Date.now() : timeOfTraceId(id) };
}

export async function countAll(
  store: TraceStore,
  row: ReceiptRow,
  sent: Sent | undefined,
): Promise<RowsByTable> {
  const rows = sent === undefined ? (row.after ?? row.before) : await countSent(store, sent);
  return { ...rows, ...(await countFigures(store, toOldFigures(row))) };
}

export function isNothing(rows: Readonly<Record<string, number>>): boolean {
  return Object.values(rows).every((count) => count === 0);
}
