import type { TraceRow } from '@throughline/contract';
import { estimateBytes, shortenRow } from './row-events.ts';

/** A trace that was just stored. */
export interface NewTrace {
  readonly projectId: string;
  readonly read: () => TraceRow;
}

/**
 * Maximum estimated size of the rows that one call reads: four times the maximum queue of one audience (viewers with the same projects and
 * filters).
 */
const MAX_BYTES = 8 * 1024 * 1024;

/** Reads the list rows of new traces, up to `MAX_BYTES`. Further traces are only counted by project. */
export function readNewRows(traces: readonly NewTrace[]): {
  readonly rows: readonly TraceRow[];
  readonly missed: ReadonlyMap<string, number>;
} {
  const rows: TraceRow[] = [];
  const missed = new Map<string, number>();
  let bytes = 0;
  for (const { projectId, read } of traces) {
    if (bytes >= MAX_BYTES) {
      missed.set(projectId, (missed.get(projectId) ?? 0) + 1);
      continue;
    }
    const row = shortenRow(read());
    bytes += estimateBytes(row);
    rows.push(row);
  }
  return { rows, missed };
}
