import { Redactor, redactStepFields, redactTraceHead } from '@throughline/contract/redaction';
import type { StepError } from '../record/types.ts';
import type { CapturedRecord, TraceHead, WireStep } from '../send/encode/wire.ts';

export { Redactor };

/**
 * A trace but for its steps without secrets, by the built-in rules and the project's own, whose paths begin with a field's name: `request.body.…`,
 * `response.headers.…`. Nothing is changed in place.
 */
export function redactHead(head: TraceHead, redactor: Redactor): TraceHead {
  return redactTraceHead(head, redactor);
}

/** {@link redactHead} for a step: `inputs.…`, `variables.localVariables.…`. */
export function redactStep(step: WireStep, redactor: Redactor): WireStep {
  return redactStepFields(step, redactor);
}

export function redactError(error: StepError, redactor: Redactor): StepError {
  return redactStepFields({ error }, redactor).error;
}

export function redactMetadata(metadata: CapturedRecord, redactor: Redactor): CapturedRecord {
  return redactStepFields({ metadata }, redactor).metadata;
}
