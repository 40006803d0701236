import type { CapturedValue, Step, Trace } from '@throughline/contract';

/** The parts of a trace that show why a step has no values. */
export type TraceOfStep = Pick<Trace, 'attributes' | 'runtime' | 'request' | 'response' | 'flow'>;

const SENT_WITHOUT: Readonly<Record<string, string>> = {
  backlog: 'sent without values, because too many requests were waiting to be sent',
  memory: 'recorded without values, because the requests in progress used too much memory',
  size: 'sent without values, because they were too large for one request',
  fault: 'sent without values, because they could not be written',
};

/** Explains why the SDK recorded or sent a request without its values, according to the attribute `throughline.withoutValues`. */
export function explainSentWithout({ attributes }: Pick<Trace, 'attributes'>): string | undefined {
  const sent = attributes['throughline.withoutValues'];
  return typeof sent === 'string' && Object.hasOwn(SENT_WITHOUT, sent) ? SENT_WITHOUT[sent] : undefined;
}

/** Explains why a step has no values. Returns undefined if the trace does not show the reason. */
export function explainNoValues(step: Step, trace: TraceOfStep): string | undefined {
  const known = explainSentWithout(trace) ?? explainBudget(step, trace);
  if (known !== undefined) return known;
  if (!isFromSdk(trace)) return undefined;
  if (!hasValues(trace) && !hasOwnValues(step))
    return 'the request was recorded without values, as in capture mode structure';
  const isPlaced = step.filePath !== null && step.lineNumber !== null;
  const isFunction =
    step.stepType === 'function' || step.stepType === 'handler' || step.stepType === 'middleware';
  return isFunction && !isPlaced ? 'its code was not instrumented' : undefined;
}

/**
 * Explains missing values by the CPU budget. The SDK lists up to ten names of the functions whose values it left out, and the number of the
 * other functions.
 */
export function explainBudget(
  { functionName, filePath, lineNumber }: Step,
  { attributes }: TraceOfStep,
): string | undefined {
  const named = readList(attributes['throughline.cpuBudget'], 'withoutValues');
  if (named.includes(`${functionName} in ${filePath}, line ${lineNumber}`))
    return 'recorded without values, to stay within the CPU budget';
  const isCut = named.some((text) => /^and \d+ more$/.test(text));
  return isCut && filePath !== null
    ? 'values of some functions were left out to stay within the CPU budget'
    : undefined;
}

function readList(value: CapturedValue | undefined, name: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const list: unknown = Reflect.get(value, name);
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** True if the SDK sent the trace. Other senders can omit values in any mode, so their missing values have no known reason. */
export function isFromSdk({ runtime }: TraceOfStep): boolean {
  return runtime.startsWith('node ');
}

/**
 * True if the request was recorded with values: it then has headers or, if the CPU budget left out the headers, an attribute that says so.
 */
function hasValues({ request, response, attributes, flow }: TraceOfStep): boolean {
  return (
    Object.keys(request.headers).length > 0 ||
    Object.keys(response.headers).length > 0 ||
    attributes['throughline.cpuBudget'] !== undefined ||
    flow.some(hasOwnValues)
  );
}

function hasOwnValues({ inputs, outputs, variables }: Step): boolean {
  return inputs !== undefined || outputs !== undefined || variables !== undefined;
}
