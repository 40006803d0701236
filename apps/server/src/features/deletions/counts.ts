import type { RowsByTable } from '@throughline/contract';
import { type TraceStore, timeOfTraceId } from '../../platform/trace-store/index.ts';
import { countFigures, countSent, type OldFigures, type Sent } from './rows-store.ts';
import type { ReceiptRow } from './store.ts';

/** What a receipt's rows can be counted by at any time; undefined where they are counted by whoever deletes them, and there alone. */
export function toSent({ what, projectId, requestedAt }: ReceiptRow, now: Date): Sent | undefined {
  if (what === 'project') return { projectId, until: now, batches: true };
  return what === 'traces' ? { projectId, until: requestedAt, batches: false } : undefined;
}

/** The figures that it had gone into. A project that is deleted gets no new ones; else the receipt's id says until when they were made. */
export function toOldFigures({ id, what, projectId, hours }: ReceiptRow): OldFigures {
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
