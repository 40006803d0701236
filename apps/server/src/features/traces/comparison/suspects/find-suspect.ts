import type { CapturedValue, Step } from '@throughline/contract';
import { type CallHistory, flatten, isMissing, type Leaf } from '../call-history.ts';
import type { CallFlow } from '../cause/call-flow.ts';
import type { Origin } from '../cause/trace-back.ts';
import { readResult } from '../compare-values.ts';
import type { KnownResults } from '../known-results.ts';
import { isData } from './is-data.ts';

/** With fewer other calls, nothing is known about the function. */
const MIN_CALLS = 2;
/** A text is one of a few kinds if the calls had at most this share of different values. */
const MAX_KINDS_SHARE = 0.75;

interface Context {
  readonly flow: CallFlow;
  readonly history: CallHistory;
  readonly results: KnownResults;
}

/**
 * Finds the first function that computed a value for an input of a new kind, or a number outside of the usual range. Functions that looked
 * up data, or that returned the same for the same inputs in successful requests, are left out.
 */
export function findSuspect(steps: readonly Step[], context: Context): Origin | undefined {
  for (const step of steps) {
    const leaf = findComputed(step, context);
    if (leaf !== undefined) return { step, part: 'returnValue', ...leaf };
  }
  return undefined;
}

function findComputed(step: Step, { flow, history, results }: Context): Leaf | undefined {
  if (step.stepType !== 'function' || step.error !== null || flow.findCaller(step) !== undefined)
    return undefined;
  const calls = history.list(step);
  if (calls.length < MIN_CALLS || isData(step, flow) || results.isKnownResult(step)) return undefined;
  const inputs = flatten(step.inputs);
  const given = new Set(inputs.map(({ value }) => value));
  const below = new Set(
    flow.listBelow(step).flatMap((call) => flatten(readResult(call)).map(({ value }) => value)),
  );
  const computed = flatten(readResult(step)).filter(
    ({ value }) => isComputed(value) && !given.has(value) && !below.has(value),
  );
  const [first] = computed;
  if (first === undefined) return undefined;
  if (inputs.some((leaf) => isNewKind(leaf, calls))) return first;
  return computed.find((leaf) => isOutOfRange(leaf, calls));
}

function isComputed(value: CapturedValue): boolean {
  return (
    typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' || isMissing(value)
  );
}

/** True for a text that no other call had as this argument, if the argument has a few values only, such as types or states. */
function isNewKind({ path, value }: Leaf, calls: readonly Step[]): boolean {
  if (path.length !== 1 || typeof value !== 'string') return false;
  const others = readAt(
    calls.map(({ inputs }) => inputs),
    path,
  );
  const kinds = new Set(others);
  return others.length >= 3 && kinds.size <= others.length * MAX_KINDS_SHARE && !kinds.has(value);
}

function isOutOfRange({ path, value }: Leaf, calls: readonly Step[]): boolean {
  if (typeof value !== 'number') return false;
  const others = readAt(calls.map(readResult), path).filter((other) => typeof other === 'number');
  return others.length >= 3 && (value > Math.max(...others) || value < Math.min(...others));
}

function readAt(values: readonly (CapturedValue | undefined)[], path: Leaf['path']): CapturedValue[] {
  const key = JSON.stringify(path);
  return values.flatMap((each) =>
    flatten(each).flatMap((leaf) => (JSON.stringify(leaf.path) === key ? [leaf.value] : [])),
  );
}
