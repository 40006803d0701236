import type { TraceRow } from '@throughline/contract';

/** The summary's figures; null where there is nothing to divide by. */
export interface Summary {
  readonly total: number;
  readonly errors: number;
  /** Percent. */
  readonly successRate: number | null;
  /** Of the rows listed so far. Milliseconds. */
  readonly averageMs: number | null;
}

export function summarise(
  counts: { readonly all: number; readonly errors: number },
  rows: readonly { readonly timing: Pick<TraceRow['timing'], 'duration'> }[],
): Summary {
  // The two counts are asked for one beside the other: a trace stored in between may be in the second alone.
  const errors = Math.min(counts.errors, counts.all);
  const sum = rows.reduce((before, row) => before + row.timing.duration, 0);
  return {
    total: counts.all,
    errors,
    successRate: counts.all === 0 ? null : ((counts.all - errors) / counts.all) * 100,
    averageMs: rows.length === 0 ? null : sum / rows.length,
  };
}
