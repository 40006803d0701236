/** Fields of a step that contain captured values. They are stored together as one JSON object. */
export const CAPTURED = ['inputs', 'outputs', 'variables'] as const;

/** The captured values of a step. */
export interface CapturedStep {
  /** A JSON object with those fields of {@link CAPTURED} that were sent; empty if none was sent. */
  readonly json: string;
  /** True if the JSON has no whitespace and the redactor would not change it. */
  readonly asItStands: boolean;
}
