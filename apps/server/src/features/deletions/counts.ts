import type { RowsByTable } from '@throughline/contract';
import { type TraceStore, timeOfTraceId } from '../../platform/trace-store/index.ts';
import { countFigures, countSent, type OutdatedRollups, type Sent } from './rows-store.ts';
import type { ReceiptRow } from './store.ts';

/**
 * Returns the condition that selects the rows that a receipt counts. Returns undefined if the condition cannot be built again later, so
 * that only the caller of the deletion can count the rows.
 */
export function toSent({ what, projectId, requestedAt }: ReceiptRow, now: Date): Sent | undefined {
  if (what === 'project') return { projectId, until: now, batches: true };
  return what === 'traces' ? { projectId, until: requestedAt, batches: false } : undefined;
}

/**
 * Returns the rollups that contained the deleted rows. A deleted project gets no new rollups, so all of its rollups count. For other
 * deletions, the rollups built up to the time in the receipt's id count.
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
