/** Fields of a step that hold captured values; they are stored as one JSON text. */
export const CAPTURED = ['inputs', 'outputs', 'variables'] as const;

/** The captured values of a step. */
export interface CapturedStep {
  /** An object with the sent fields of {@link CAPTURED}; empty if none were sent. */
  readonly json: string;
  /** True if the JSON has no whitespace and the redactor would not change it. */
  readonly asItStands: boolean;
}
