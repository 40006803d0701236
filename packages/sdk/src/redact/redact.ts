import { Redactor, redactStepFields, redactTraceHead } from '@throughline/contract/redaction';
import type { StepError } from '../record/types.ts';
import type { CapturedRecord, TraceHead, WireStep } from '../send/encode/wire.ts';

export { Redactor };

/**
 * Returns the trace's head without secrets, by the built-in rules and the project's own. Paths of these rules begin with a field:
 * `request.body.…`, `response.headers.…`. Does not modify its argument.
 */
export function redactHead(head: TraceHead, redactor: Redactor): TraceHead {
  return redactTraceHead(head, redactor);
}

/** Like {@link redactHead}, for a step: `inputs.…`, `variables.localVariables.…`. */
export function redactStep(step: WireStep, redactor: Redactor): WireStep {
  return redactStepFields(step, redactor);
}

export function redactError(error: StepError, redactor: Redactor): StepError {
  return redactStepFields({ error }, redactor).error;
}

export function redactMetadata(metadata: CapturedRecord, redactor: Redactor): CapturedRecord {
  return redactStepFields({ metadata }, redactor).metadata;
}
