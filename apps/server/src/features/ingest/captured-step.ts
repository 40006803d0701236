import type { RowBytes } from '../../platform/trace-store/index.ts';

/** What of a step is captured, not told: kept as one JSON text. */
export const CAPTURED = ['inputs', 'outputs', 'variables'] as const;

/** What was captured of a step. */
export interface CapturedStep {
  /** An object with those of {@link CAPTURED} that were sent; empty for none. */
  readonly json: string;
  /** Whether it is written without blanks, and the redactor would change none of it. */
  readonly asItStands: boolean;
  /** Adds {@link json} as it stands to a row, as a field. */
  addTo(rows: RowBytes): void;
}
