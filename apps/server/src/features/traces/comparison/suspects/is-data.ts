import type { CapturedValue, Step } from '@throughline/contract';
import { listParts } from '@throughline/contract/captured';
import { flatten } from '../call-history.ts';
import type { CallFlow } from '../cause/call-flow.ts';
import { readResult } from '../compare-values.ts';

/** Minimum number of values in a result that counts as data. A single value can have been computed. */
const MIN_VALUES = 2;

/**
 * True if a call returned data: a record that contains one of the inputs, the result of a query below the call, or an object with at least
 * two values and no input among them, from a function that called nothing but callbacks. Such values are rarely the cause of a failure,
 * because nothing computed them.
 */
export function isData(step: Step, flow: CallFlow): boolean {
  if (isRecord(step) || isLookedUp(step, flow)) return true;
  if (
    flow.listBelow(step).some((call) => flow.findCaller(call) === undefined && call.stepType === 'function')
  )
    return false;
  const leaves = flatten(readResult(step)).filter(({ path, value }) => path.length > 0 && isSimple(value));
  const inputs = new Set(flatten(step.inputs).map(({ value }) => value));
  return leaves.length >= MIN_VALUES && !leaves.some(({ value }) => inputs.has(value));
}

/** Maximum number of calls below a function that are searched for a query. */
const MAX_SEARCHED = 50;

/** True if a function returned an object or a list, and a query ran below the function: the values come from the database. */
export function isLookedUp(step: Step, flow: CallFlow): boolean {
  if (!flatten(readResult(step)).some(({ path }) => path.length > 0)) return false;
  const pending = [...flow.listBelow(step)];
  for (let at = 0; at < pending.length && at < MAX_SEARCHED; at += 1) {
    const call = pending[at];
    if (call === undefined) continue;
    if (call.stepType === 'database') return true;
    pending.push(...flow.listBelow(call));
  }
  return false;
}

function isSimple(value: CapturedValue): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** True if a function found a record by its inputs: the result has an input as a member. */
export function isRecord(step: Step): boolean {
  const inputs = new Set(
    flatten(step.inputs)
      .filter(({ path }) => path.length === 1)
      .map(({ value }) => value)
      .filter(isLong),
  );
  const result = readResult(step);
  if (result === undefined || inputs.size === 0) return false;
  const { children } = listParts(result);
  return children.length > 1 && children.some(({ value }) => isLong(value) && inputs.has(value));
}

/** True for a value that is long enough not to be equal to another value by chance. */
function isLong(value: CapturedValue): boolean {
  return typeof value === 'string' ? value.length > 1 : typeof value === 'number' && Math.abs(value) > 1;
}
