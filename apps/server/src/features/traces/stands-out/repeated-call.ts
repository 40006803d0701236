import { type CapturedValue, formatCount, formatDuration } from '@throughline/contract';
import { describeKind, listParts } from '@throughline/contract/captured';
import { buildCallKey, isWaiting } from '../../step-patterns/index.ts';
import {
  type ExaminedStep,
  formatShare,
  measureShare,
  measureUnion,
  type ReadRequest,
  type Statement,
} from '../statements/read-request.ts';
import { isSlow } from './slower-than-usual.ts';

/**
 * Minimum number of calls to another process, and minimum share of the request's time. Fewer calls probably do not come from a loop over a
 * list, and a smaller share is not worth fixing.
 */
const WAITING = { calls: 8, share: 0.1 } as const;
/**
 * Minimum number of calls of a function, and minimum share of their self time in the request's time. Frequent calls of a function are
 * normal; what stands out is their self time.
 */
const FUNCTIONS = { calls: 20, share: 0.3 } as const;

/** A single call is named, and opened first, if this call took at least this share of the time of all calls. */
const MIN_OF_SLOW_CALL = 0.5;

/** A function is named as the caller only if it made at least this share of the calls. */
const MIN_OF_MAIN_CALLER = 0.8;

/**
 * Finds a repeated query or call to another process, such as a loop that one call could replace. If there is none, finds a function whose
 * many calls took most of the time.
 */
export function findRepeatedCall(request: ReadRequest): Statement[] {
  const waiting = request.steps.filter(isWaiting);
  const found = [...Map.groupBy(waiting, describeCall).values()].flatMap((same) =>
    describe(request, same, { ...WAITING, micros: measureUnion(same), measure: readDuration }),
  );
  if (found.length > 0) return found;
  const functions = request.steps.filter(({ type }) => type === 'function' || type === 'custom');
  return [...Map.groupBy(functions, describeCall).values()].flatMap((same) =>
    describe(request, same, {
      ...FUNCTIONS,
      micros: same.reduce((sum, { selfMicros }) => sum + selfMicros, 0),
      measure: readSelfTime,
    }),
  );
}

const readDuration = ({ durationMicros }: ExaminedStep) => durationMicros;
const readSelfTime = ({ selfMicros }: ExaminedStep) => selfMicros;

function describeCall(step: ExaminedStep): string {
  return JSON.stringify([step.type, buildCallKey(step)]);
}

interface Limits {
  readonly calls: number;
  readonly share: number;
  /** Total time of all calls in microseconds. */
  readonly micros: number;
  /** Reads the time of one call, in microseconds. */
  readonly measure: (step: ExaminedStep) => number;
}

function describe(request: ReadRequest, same: readonly ExaminedStep[], limits: Limits): Statement[] {
  const calls = same.reduce((sum, step) => sum + step.calls, 0);
  const failed = same.filter((step) => step.failed).length;
  const share = measureShare(request, limits.micros);
  const slow = findSlowCall(same, limits);
  const first = slow ?? same[0];
  // If most of the calls failed, the calls are probably retries.
  if (first === undefined || calls < limits.calls || share < limits.share || failed * 2 > calls) return [];
  const took = `${formatDuration(limits.micros / 1000)}, ${formatShare(share)} of the request`;
  const caller = findMainCaller(slow === undefined ? same : [slow, ...same], request.steps);
  const by = caller === undefined ? '' : `, called by \`${caller.name}\``;
  const one = slow === undefined ? '' : `; one call took ${formatDuration(limits.measure(slow) / 1000)}`;
  const text = `\`${first.name}\` ran ${formatCount(calls)} times${by}: ${took}${one}`;
  // If the request is not slow, its repeated calls are probably usual for the endpoint. The page then opens on the handler, not on these
  // calls.
  const opening = isSlow(request) ? { opening: (caller ?? first).stepId } : {};
  return [{ text, stepId: first.stepId, weight: share, ...opening }];
}

/**
 * Finds the one call that took most of the time of all calls. Returns undefined if several calls took most of the time, which is possible
 * for concurrent calls. Also returns undefined for a call aggregate, because the duration of a single call in it is unknown.
 */
function findSlowCall(same: readonly ExaminedStep[], { micros, measure }: Limits): ExaminedStep | undefined {
  const [slow, ...others] = same.filter((step) => measure(step) >= micros * MIN_OF_SLOW_CALL);
  return slow?.calls === 1 && others.length === 0 ? slow : undefined;
}

/**
 * Finds the function that made most of the calls, and returns one step of this function. Returns undefined if the name of the called
 * function says enough. The caller is needed if the called function is general, such as a function that runs any query. A function counts
 * as general if it received a function as an input, or if other functions call it, too.
 */
function findMainCaller(
  same: readonly ExaminedStep[],
  steps: readonly ExaminedStep[],
): ExaminedStep | undefined {
  const [first] = same;
  const byId = new Map(steps.map((step) => [step.stepId, step]));
  const findCaller = ({ parentStepId }: ExaminedStep) => byId.get(parentStepId);
  const callers = same.flatMap((step) => findCaller(step) ?? []);
  const [main = []] = [...Map.groupBy(callers, ({ name }) => name).values()].sort(
    (a, b) => b.length - a.length,
  );
  const [caller] = main;
  if (caller?.type !== 'function' || main.length < same.length * MIN_OF_MAIN_CALLER) return undefined;
  const hasOthers = steps.some(
    (step) => step.name === first?.name && step.type === first.type && findCaller(step)?.name !== caller.name,
  );
  return hasOthers || hasFunction(first?.inputs) ? caller : undefined;
}

function hasFunction(inputs: CapturedValue | undefined): boolean {
  return (
    inputs !== undefined && listParts(inputs).children.some(({ value }) => describeKind(value) === 'function')
  );
}
