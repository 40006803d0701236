import { formatJsonField, formatMicrosField, formatTextField, NULL_FIELD } from '../rows/tab-separated.ts';
import { defineColumns } from './columns.ts';

/** The function, query or other work that a step calls, and the location of the step in the source code. */
export interface StepCode {
  readonly name: string;
  readonly type: string;
  readonly functionName: string;
  readonly filePath: string;
  readonly lineNumber: number | null | undefined;
}

/** The columns of {@link StepCode}, which `steps` and `spans` have in common. */
export const STEP_CODE = defineColumns<StepCode>()({
  name: ({ name }) => formatTextField(name),
  type: ({ type }) => type,
  function_name: ({ functionName }) => formatTextField(functionName),
  file_path: ({ filePath }) => formatTextField(filePath),
  line_number: ({ lineNumber }) => lineNumber ?? NULL_FIELD,
});

/** The values of a step, as redacted JSON. A field is empty if nothing was sent. */
export interface StepValues {
  readonly error: string;
  readonly metadata: string;
  /** JSON object of the inputs, outputs and variables. */
  readonly captured: string;
}

/** The columns of {@link StepValues}, which `steps` and `spans` have in common. */
export const STEP_VALUES = defineColumns<StepValues>()({
  error: ({ error }) => formatJsonField(error),
  metadata: ({ metadata }) => formatJsonField(metadata),
  captured: ({ captured }) => formatJsonField(captured),
});

/** Formats the fields of a step that `steps` and `spans` have in common. */
export function writeStep(code: string, values: StepValues): string {
  return `${code}\t${STEP_VALUES.write(values)}`;
}

export interface StepTrace {
  readonly projectId: string;
  readonly idTimeMs: number;
  readonly id: string;
}

/** The columns that assign a step to its trace. */
export const STEP_TRACE = defineColumns<StepTrace>()({
  project_id: ({ projectId }) => projectId,
  trace_time_ms: ({ idTimeMs }) => idTimeMs,
  trace: ({ id }) => id,
});

export interface StepCall {
  readonly ordinal: number;
  readonly stepId: string;
  readonly parentStepId: string;
  readonly sequence: number;
  readonly startMicros: bigint;
  readonly durationMicros: number;
  readonly endDriftMicros: bigint;
  /** JSON about the calls of a call aggregate; empty for a single call. */
  readonly repeat: string;
}

/** The columns of `steps` with the ids, the order and the times of one call. */
export const STEP_CALL = defineColumns<StepCall>()({
  ordinal: ({ ordinal }) => ordinal,
  step_id: ({ stepId }) => formatTextField(stepId),
  parent_step_id: ({ parentStepId }) => formatTextField(parentStepId),
  sequence: ({ sequence }) => sequence,
  start_micros: ({ startMicros }) => startMicros,
  duration_micros: ({ durationMicros }) => durationMicros,
  end_drift_micros: ({ endDriftMicros }) => endDriftMicros,
  repeat: ({ repeat }) => formatJsonField(repeat),
});

export const STORED_AT = defineColumns<bigint>()({ stored_at: formatMicrosField });

/** The columns of `steps`, in the order in which {@link writeStepRow} writes them. */
export const STEP_COLUMNS = [STEP_TRACE, STEP_CALL, STEP_CODE, STEP_VALUES, STORED_AT].flatMap(
  ({ names }): readonly string[] => names,
);

/** Formats a row of `steps`. Each parameter is a group of columns that is already formatted, because many rows share some of the groups. */
export function writeStepRow(trace: string, call: string, step: string, storedAt: string): string {
  return `${trace}\t${call}\t${step}\t${storedAt}\n`;
}
