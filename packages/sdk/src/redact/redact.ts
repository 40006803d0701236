import { Redactor } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import type { StepError, StepVariables } from '../record/types.ts';
import type { TraceHead, WireStep, WireTrace } from '../send/wire.ts';

export { Redactor };

/**
 * The trace without secrets, by the built-in rules and the project's own, whose paths begin with a field's name: `request.body.…`, `response.headers.…`,
 * `inputs.…`, `variables.localVariables.…`. Nothing is changed in place.
 */
export function redactTrace({ flow, ...head }: WireTrace, redactor: Redactor): WireTrace {
  return { ...redactHead(head, redactor), flow: flow.map((step) => redactStep(step, redactor)) };
}

export function redactHead(trace: TraceHead, redactor: Redactor): TraceHead {
  const { request, response, error } = trace;
  return {
    _id: trace._id,
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: trace.parentSpanId,
    request: {
      ...request,
      path: redactor.text(request.path),
      url: textIn(redactor, request.url),
      userAgent: textIn(redactor, request.userAgent),
      headers: request.headers && redactor.fields(request.headers, ['request', 'headers']),
      query: valueIn(redactor, request.query, ['request', 'query']),
      body: valueIn(redactor, request.body, ['request', 'body']),
    },
    response: {
      ...response,
      headers: response.headers && redactor.fields(response.headers, ['response', 'headers']),
      body: valueIn(redactor, response.body, ['response', 'body']),
    },
    timing: trace.timing,
    performance: trace.performance,
    error: { ...error, errorMessage: error.errorMessage === null ? null : redactor.text(error.errorMessage) },
    user: trace.user && redactor.fields(trace.user, ['user']),
    sessionId: trace.sessionId,
    attributes: trace.attributes && redactor.fields(trace.attributes, ['attributes']),
    dropped: trace.dropped,
  };
}

export function redactStep(step: WireStep, redactor: Redactor): WireStep {
  const outputs = valueIn(redactor, step.outputs, ['outputs']);
  const known =
    step.outputs !== undefined && !redactor.hasPaths ? { from: step.outputs, to: outputs } : undefined;
  return {
    ...step,
    stepName: redactor.text(step.stepName),
    inputs: valueIn(redactor, step.inputs, ['inputs']),
    outputs,
    variables: step.variables && redactVariables(step.variables, redactor, known),
    error: step.error && redactError(step.error, redactor),
    metadata: step.metadata && redactor.fields(step.metadata, ['metadata']),
  };
}

/** A function's return value is mostly its step's output, the very same: `known` is what became of that. */
function redactVariables(
  variables: StepVariables,
  redactor: Redactor,
  known: { readonly from: CapturedValue; readonly to: CapturedValue | undefined } | undefined,
): StepVariables {
  const { capturedAt, parameters, localVariables, returnValue, thisContext } = variables;
  const returned =
    returnValue === known?.from ? known?.to : valueIn(redactor, returnValue, ['variables', 'returnValue']);
  return {
    capturedAt,
    parameters: redactor.fields(parameters, ['variables', 'parameters']),
    localVariables: redactor.fields(localVariables, ['variables', 'localVariables']),
    ...(returned !== undefined && { returnValue: returned }),
    ...(thisContext !== undefined && {
      thisContext: redactor.value(thisContext, ['variables', 'thisContext']),
    }),
  };
}

export function redactError(error: StepError, redactor: Redactor): StepError {
  return {
    ...error,
    message: redactor.text(error.message),
    ...(error.stack !== undefined && { stack: redactor.text(error.stack) }),
  };
}

function textIn(redactor: Redactor, text: string | undefined): string | undefined {
  return text === undefined ? undefined : redactor.text(text);
}

function valueIn(
  redactor: Redactor,
  value: CapturedValue | undefined,
  at: readonly string[],
): CapturedValue | undefined {
  return value === undefined ? undefined : redactor.value(value, at);
}
