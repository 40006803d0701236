import { parseInstant, type Step, type Trace } from '@throughline/contract';

/** Formats the step names as a tree. Each level is indented by two more spaces than the level above it. */
export function printFlow(trace: Trace, from: string | null = null): string {
  const below = Map.groupBy(trace.flow, ({ parentStepId }) => parentStepId);
  const lines: string[] = [];
  const print = (parent: string | null, depth: number) => {
    for (const step of below.get(parent) ?? []) {
      const count = step.repeat === undefined ? '' : ` × ${step.repeat.count}`;
      lines.push(`${'  '.repeat(depth)}${step.stepName}${count}`);
      print(step.stepId, depth + 1);
    }
  };
  print(from, 0);
  return lines.join('\n');
}

const LAYERS: ReadonlySet<string> = new Set(['middleware', 'handler']);

/**
 * Finds steps that end while a child step is still running. Skips child steps that are marked as detached or unfinished. Also skips
 * layers of a framework: their steps end when the layer calls `next` or has responded, although the layer's function continues. Also skips
 * aggregated calls: their duration is the sum of the calls, without the time between the calls.
 */
export function findShorterParents(trace: Trace): string[] {
  const byId = new Map(trace.flow.map((step) => [step.stepId, step]));
  return trace.flow.flatMap((step) => {
    const parent = byId.get(step.parentStepId ?? '');
    if (parent === undefined || LAYERS.has(parent.stepType)) return [];
    if (parent.repeat !== undefined) return [];
    if (isMarked(step, 'detached') || isMarked(step, 'unfinished')) return [];
    // Times are compared, not durations, because the duration of an aggregate or a generator excludes the time between its calls.
    const isCalledLater = compareInstants(step.startTime, parent.endTime) >= 0;
    return isCalledLater || compareInstants(step.endTime, parent.endTime) <= 0
      ? []
      : [`${parent.stepName} (${parent.duration} ms) > ${step.stepName} (${step.duration} ms)`];
  });
}

/** Compares two times with their microseconds. */
function compareInstants(one: string, other: string): number {
  return Number((parseInstant(one) ?? 0n) - (parseInstant(other) ?? 0n));
}

function isMarked({ metadata }: Step, mark: string): boolean {
  return typeof metadata === 'object' && metadata !== null && mark in metadata;
}

/**
 * Matches names of functions that compilers add, generic names, and names that a bundler made. Does not match `__resolveType`, the name that
 * GraphQL requires for a function of the author.
 */
const NO_AUTHORS_NAME =
  /^(__(?!resolveType\b)\w+|_?asyncToGenerator\w*|asyncGeneratorStep|_interop\w+|_class\w*Check|_createClass|_defineProperty\w*|_objectSpread\w*|_next|_throw|fulfilled|rejected|adopt|module\.exports|exports|default|anonymous|)( callback)?$|\$[0-9a-f]{8}/;

/** Finds steps of functions that a compiler added, and steps whose names are not in the author's source. */
export function findNoise(trace: Trace): string[] {
  return trace.flow
    .filter(({ stepName }) => NO_AUTHORS_NAME.test(stepName))
    .map(({ stepName, filePath, lineNumber }) => `${stepName} ${filePath}:${lineNumber}`);
}

/**
 * Finds steps that are marked as not attributed, because the SDK does not know which function made the call. Skips functions that a library
 * calls at the top level of a request; see `calledByLibraries` of the test.
 */
export function findNotAttributed(trace: Trace, calledByLibraries: readonly string[] = []): string[] {
  return trace.flow
    .filter((step) => isMarked(step, 'notAttributed'))
    .filter(({ stepName, parentStepId }) => parentStepId !== null || !calledByLibraries.includes(stepName))
    .map(({ stepName, filePath, lineNumber }) => `${stepName} ${filePath}:${lineNumber}`);
}

/** Finds steps whose return value is a promise that was still pending when it was captured. */
export function findPendingPromises(trace: Trace): string[] {
  return trace.flow
    .filter(({ variables }) => JSON.stringify(variables?.returnValue)?.startsWith(PROMISE))
    .map(({ stepName, filePath, lineNumber }) => `${stepName} ${filePath}:${lineNumber}`);
}

const PROMISE = '{"$type":"object","class":"Promise"';

/** Returns a trace's first step with this name. */
export function findStep(trace: Trace | undefined, name: string): Step {
  const found = trace?.flow.find(({ stepName }) => stepName === name);
  if (found === undefined) throw new Error(`no step ${name}`);
  return found;
}

/** True if `step` is `above`, or if `above` called `step`, directly or through other steps. */
export function isBelow(trace: Trace | undefined, step: Step, above: Step): boolean {
  const byId = new Map(trace?.flow.map((one) => [one.stepId, one]));
  let at: Step | undefined = step;
  while (at !== undefined && at !== above) at = byId.get(at.parentStepId ?? '');
  return at === above;
}
