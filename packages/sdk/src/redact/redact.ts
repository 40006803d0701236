import { Redactor, type RedactRules } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import type { StepError, StepVariables } from '../record/types.ts';
import type { WireStep, WireTrace } from '../send/wire.ts';
import { writeJson } from '../send/write-json.ts';

export { Redactor, type RedactRules };

/** A trace but for its steps. */
type TraceHead = Omit<WireTrace, 'flow'>;

/**
 * The trace as JSON without secrets, by the built-in rules and the project's own, whose paths begin with a field's name: `request.body.…`,
 * `response.headers.…`, `inputs.…`, `variables.localVariables.…`. A text that is hidden for its name is hidden in the whole trace. Nothing is changed in place.
 * It takes time with the trace's size: keep it off a request's path. It can be left for a while wherever it yields: between steps, and between the few that are written at a time.
 */
export function* redactedJson(trace: WireTrace, redactor: Redactor): Generator<undefined, string> {
  const found = new Set<string>();
  const head = redactor.collectSecrets(found, () => redactHead(trace, redactor));
  const flow: WireStep[] = [];
  for (const step of trace.flow) {
    yield;
    flow.push(redactor.collectSecrets(found, () => redactStep(step, redactor)));
  }
  const json = yield* traceJson(head, flow);
  // Most requests have a cookie or a key that occurs nowhere else: a look at the text is far cheaper than a second walk.
  const echoed = [...found].filter((secret) => json.includes(writeJson(secret).slice(1, -1)));
  if (echoed.length === 0) return json;
  const cleanHead = redactor.hideSecrets(echoed, () => redactHead(head, redactor));
  const cleanFlow: WireStep[] = [];
  for (const step of flow) {
    yield;
    cleanFlow.push(redactor.hideSecrets(echoed, () => redactStep(step, redactor)));
  }
  return yield* traceJson(cleanHead, cleanFlow);
}

/** Steps written at a time: one by one, a trace takes half as long again. */
const STEPS_AT_A_TIME = 8;

function* traceJson(head: TraceHead, flow: readonly WireStep[]): Generator<undefined, string> {
  const texts: string[] = [];
  for (let at = 0; at < flow.length; at += STEPS_AT_A_TIME) {
    yield;
    texts.push(writeJson(flow.slice(at, at + STEPS_AT_A_TIME)).slice(1, -1));
  }
  return `${writeJson(head).slice(0, -1)},"flow":[${texts.join(',')}]}`;
}

function redactHead(trace: TraceHead, redactor: Redactor): TraceHead {
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

function redactStep(step: WireStep, redactor: Redactor): WireStep {
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

function redactError(error: StepError, redactor: Redactor): StepError {
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
