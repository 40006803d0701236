/** What of a step is captured, not told: kept as one JSON text. */
export const CAPTURED = ['inputs', 'outputs', 'variables'] as const;

/** What was captured of a step. */
export interface CapturedStep {
  /** An object with those of {@link CAPTURED} that were sent; empty for none. */
  readonly json: string;
  /** Whether it is written without blanks, and the redactor would change none of it. */
  readonly asItStands: boolean;
}
