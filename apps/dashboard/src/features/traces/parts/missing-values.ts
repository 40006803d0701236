import type { CapturedValue, Step } from '@throughline/contract';
import { isLibraryCode } from '../../../visuals/steps/own-code.ts';
import { explainBudget, explainNoValues, type TraceOfStep } from './no-values.ts';

/**
 * Describes which values of a step are missing, and the reason if the trace shows the reason. Returns undefined if nothing is missing: many
 * values exist only for some steps, such as metadata, `this`, and the variables of a query.
 */
export function describeMissingValues(step: Step, trace: TraceOfStep): string | undefined {
  const sentences =
    step.variables === undefined ? describeWithout(step, trace) : describeVariables(step, trace);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Describes the missing values of a call whose variables were captured. */
function describeVariables(step: Step, trace: TraceOfStep): readonly string[] {
  const { variables, inputs, outputs } = step;
  const missing = [
    ...(variables?.parameters === undefined ? ['parameters'] : []),
    ...(variables?.localVariables === undefined ? ['local variables'] : []),
    ...(inputs === undefined && !isEmpty(variables?.parameters) ? ['inputs'] : []),
  ];
  const isReturned = variables?.returnValue !== undefined || outputs !== undefined;
  return [...(isReturned ? [] : [explainNoReturn(step)]), ...list(missing, explainNoInputs(step, trace))];
}

function explainNoReturn({ variables, error, metadata }: Step): string {
  if (hasMark(metadata, 'unfinished'))
    return 'No return value: the function was still running when the request ended.';
  if (variables?.capturedAt === 'throw' || error !== null) return 'No return value: the function threw.';
  return 'No return value: the function returned nothing.';
}

/**
 * Explains why a call that threw has no inputs. The SDK captures the variables of a call that throws even if it skips the function's
 * values. It cannot capture the inputs then, because the inputs must be captured at the start of the call.
 */
function explainNoInputs(step: Step, trace: TraceOfStep): string | undefined {
  if (step.variables?.capturedAt !== 'throw') return undefined;
  const isCounted = trace.flow.some((other) => other.repeat !== undefined && isSameFunction(other, step));
  if (isCounted) return 'the call was one of many that the SDK only counted, until it threw';
  const reason = explainBudget(step, trace);
  return reason === undefined ? undefined : `${reason}, until the call threw`;
}

function isSameFunction(one: Step, other: Step): boolean {
  return (
    one.filePath !== null &&
    one.functionName === other.functionName &&
    one.filePath === other.filePath &&
    one.lineNumber === other.lineNumber
  );
}

/** Describes the missing values of a step without variables. */
function describeWithout(step: Step, trace: TraceOfStep): readonly string[] {
  const { inputs, outputs, error, metadata, stepType } = step;
  if (isFunction(step)) {
    if (isSpan(metadata)) return ['OpenTelemetry spans have no parameters, variables or return values.'];
    if (hasMark(metadata, 'unfinished'))
      return ['No variables and no return value: the function was still running when the request ended.'];
    if (isLibraryCode(step)) return ['Values of library code are not recorded.'];
    const hasNoReturn = outputs === undefined;
    const missing = [
      'parameters',
      'local variables',
      ...(hasNoReturn && error === null ? ['return value'] : []),
      ...(inputs === undefined ? ['inputs'] : []),
    ];
    const threw = hasNoReturn && error !== null ? [explainNoReturn(step)] : [];
    return [...threw, ...list(missing, explainNoValues(step, trace))];
  }
  // An OpenTelemetry span has only the attributes that the program set, so none of its values is missing. Only calls of databases, HTTP
  // servers and caches, and log lines, have inputs. A log line and a queue step have no outputs.
  if (isSpan(metadata)) return [];
  const reason = explainNoValues(step, trace);
  const isCall = stepType === 'database' || stepType === 'http' || stepType === 'cache';
  const missing = inputs === undefined && (isCall || stepType === 'log') ? ['inputs'] : [];
  if (outputs !== undefined || stepType === 'log' || stepType === 'queue') return list(missing, reason);
  if (hasMark(metadata, 'unfinished'))
    return ['No outputs: the call was still running when the request ended.', ...list(missing, reason)];
  if (error !== null) return ['No outputs: the call ended with an error.', ...list(missing, reason)];
  return list([...missing, 'outputs'], reason);
}

/** True for the types of steps whose variables the SDK can capture. */
export function isFunction({ stepType }: Step): boolean {
  return stepType === 'function' || stepType === 'handler' || stepType === 'middleware';
}

/** True for a step that was an OpenTelemetry span. Such a step has metadata of the server (`otel.…`) or of the SDK (`tracer`). */
function isSpan(metadata: CapturedValue | undefined): boolean {
  return listNames(metadata).some((name) => name.startsWith('otel.') || name === 'tracer');
}

function hasMark(metadata: CapturedValue | undefined, name: string): boolean {
  return typeof metadata === 'object' && metadata !== null && Reflect.get(metadata, name) === true;
}

function listNames(value: CapturedValue | undefined): readonly string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

function isEmpty(value: CapturedValue | undefined): boolean {
  return value === undefined || listNames(value).length === 0;
}

function list(missing: readonly string[], reason: string | undefined): readonly string[] {
  if (missing.length === 0) return [];
  return [`Not captured: ${missing.join(', ')}${reason === undefined ? '' : ` (${reason})`}.`];
}
