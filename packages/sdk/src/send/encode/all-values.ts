import { REDACTED_TEXT, WITHOUT_CONTENT } from '@throughline/contract/redaction';
import { type CapturedValue, isTagged, type TaggedValue } from '@throughline/contract/values';
import type { RecordedStep } from '../../record/recorded-step.ts';
import type { StepError, StepVariables } from '../../record/types.ts';
import { CapturedText, type StepValue } from '../../record/writer/captured-text.ts';
import type { CapturedRecord, FinishedTrace } from './wire.ts';

/**
 * Returns the trace without values: each leaf of a value is replaced by the leaf's type. The structure of the values and the names of
 * properties, headers and parameters stay. Also kept are null and undefined, data that a trace without values contains (method, path,
 * route, functions, times), and the user's id, which the host passes to be shown.
 */
export function withoutValues(trace: FinishedTrace): FinishedTrace {
  const { request, response, error } = trace;
  return {
    ...trace,
    request: {
      ...request,
      url: request.url?.split('?', 1)[0],
      headers: request.headers && replaceValues(request.headers),
      query: shapeIn(request.query),
      body: shapeIn(request.body),
    },
    response: {
      ...response,
      headers: response.headers && replaceValues(response.headers),
      body: shapeIn(response.body),
    },
    error: { ...error, errorMessage: error.errorMessage === null ? null : REDACTED_TEXT },
    user: trace.user && {
      ...replaceValues(trace.user),
      ...(trace.user.id !== undefined && { id: trace.user.id }),
    },
    attributes:
      trace.attributes && replaceForeignValues(trace.attributes, (name) => name.startsWith('throughline.')),
    flow: trace.flow.map(stepWithoutValues),
  };
}

/** Replaces the values of a step that are not captured JSON. In captured JSON, values were already replaced by their types at capture. */
function stepWithoutValues(step: RecordedStep): RecordedStep {
  return {
    ...step,
    inputs: stepValue(step.inputs),
    outputs: stepValue(step.outputs),
    variables: step.variables instanceof CapturedText ? step.variables : replaceVariables(step.variables),
    error: step.error && removeErrorTexts(step.error),
    metadata: step.metadata && replaceForeignValues(step.metadata, (name) => ownMarks.has(name)),
  };
}

/** Names of the recorder's own metadata, which are kept. */
const ownMarks = new Set(['rethrown', 'unfinished', 'detached', 'notAttributed']);

function replaceForeignValues(fields: CapturedRecord, isOwn: (name: string) => boolean): CapturedRecord {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isOwn(name) ? value : shape(value)]),
  );
}

function stepValue(value: StepValue | undefined): StepValue | undefined {
  return value instanceof CapturedText ? value : shapeIn(value);
}

function replaceVariables(variables: StepVariables | undefined): StepVariables | undefined {
  if (variables === undefined) return undefined;
  const { capturedAt, parameters, localVariables, returnValue, thisContext } = variables;
  return {
    capturedAt,
    parameters: replaceValues(parameters),
    localVariables: replaceValues(localVariables),
    ...(returnValue !== undefined && { returnValue: shape(returnValue) }),
    ...(thisContext !== undefined && { thisContext: shape(thisContext) }),
  };
}

/**
 * Returns the error with its name, code and stack frames. A placeholder replaces the message, which can contain values, and the first line
 * of the stack, which repeats the message.
 */
function removeErrorTexts(error: StepError): StepError {
  const places = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    ...error,
    message: REDACTED_TEXT,
    ...(places !== undefined && { stack: [REDACTED_TEXT, ...places].join('\n') }),
  };
}

function shapeIn(value: CapturedValue | undefined): CapturedValue | undefined {
  return value === undefined ? undefined : shape(value);
}

function replaceValues(fields: CapturedRecord): CapturedRecord {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shape(value)]));
}

/** Returns the value with each leaf replaced by its type. */
export function shape(value: CapturedValue): CapturedValue {
  if (value === null) return null;
  if (typeof value !== 'object') return { $type: 'redacted', of: typeof value };
  if (isList(value)) return value.map(shape);
  return isTagged(value) ? replaceForm(value) : replaceValues(value);
}

function replaceForm(form: TaggedValue): CapturedValue {
  switch (form.$type) {
    case 'Map':
      return { ...form, entries: form.entries.map(([key, value]) => [shape(key), shape(value)] as const) };
    case 'Set':
    case 'array':
      return { ...form, values: form.values.map(shape) };
    case 'object':
      return { ...form, properties: replaceValues(form.properties) };
    case 'Error':
      return {
        $type: 'Error',
        class: form.class,
        message: REDACTED_TEXT,
        ...(form.cause !== undefined && { cause: shape(form.cause) }),
        ...(form.properties !== undefined && { properties: replaceValues(form.properties) }),
      };
    case 'TypedArray':
      return { ...form, values: [] };
    case 'symbol':
      return { $type: 'symbol', description: REDACTED_TEXT };
    default:
      if (form.$type !== 'number' && WITHOUT_CONTENT.has(form.$type)) return form;
      return { $type: 'redacted', of: form.$type };
  }
}

function isList(value: CapturedValue): value is readonly CapturedValue[] {
  return Array.isArray(value);
}
