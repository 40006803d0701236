import type { CapturedValue, Step } from '@throughline/contract';
import { type CallHistory, flatten, isMissing, type Leaf, type Origin } from '../call-history.ts';
import { isDistinct, readResult } from '../compare-values.ts';
import { isEqual } from '../judge-difference.ts';
import { isData, isLookedUp, isRecord } from '../suspects/is-data.ts';
import { isRepeatable } from '../suspects/is-repeatable.ts';
import { CallFlow, type ProducedValue } from './call-flow.ts';
import { isQuotedIn } from './failure-texts.ts';
import type { GivenValues } from './given-values.ts';
import { findPromiseVariable } from './promise-variable.ts';

/** Maximum number of functions through which a value is followed back. */
const MAX_HOPS = 10;
/** Minimum length of a text that is searched for in other texts. Other texts can contain a shorter text by chance. */
const MIN_PART = 4;

interface Context {
  readonly flow: CallFlow;
  readonly history: CallHistory;
  readonly given: GivenValues;
}

/**
 * Finds the value at which a failure began. Tries in order: a variable with an unexpected promise; an unusual variable of the function that
 * threw, if the error's message contains the variable's value; the first result that no successful call of the same function returned,
 * followed back to the function that computed this result; an unusual input of the function that threw. Returns undefined if there is no
 * such value. Also returns undefined if the value, other than a promise, comes from a function that no successful request called.
 */
export function traceBack(
  steps: readonly Step[],
  { history, given }: { readonly history: CallHistory; readonly given: GivenValues },
): Origin | undefined {
  const flow = new CallFlow(steps);
  const thrower = flow.findThrower();
  if (thrower === undefined) return undefined;
  const context = { flow, history, given };
  const promise = findPromiseVariable(thrower, context);
  if (promise !== undefined) return promise;
  const origin = findNamed(thrower, history) ?? findFirst(thrower, context) ?? findReceived(thrower, context);
  return origin === undefined || isOfNewCall(origin, context) ? undefined : origin;
}

/** Finds an unusual variable of the function that threw, if the error's message contains the variable's value. */
function findNamed(thrower: Step, history: CallHistory): Origin | undefined {
  const named = history
    .listOdd(thrower, 'localVariables')
    .find(({ path, value }) => path.length === 1 && isQuotedIn(value, thrower.error?.message ?? ''));
  return named && { step: thrower, part: 'localVariables', ...named };
}

/**
 * Finds the first result that no successful call of the same function returned. Prefers a missing value (such as null) that the function
 * that threw received as an input. Without such a missing value, ignores unusual members of a record, because they are data.
 */
function findFirst(thrower: Step, context: Context): Origin | undefined {
  const { flow, history } = context;
  const received = history.listOdd(thrower, 'inputs').filter(({ value }) => isMissing(value));
  const isReceived = ({ path, value }: Leaf) =>
    received.some(
      (leaf) => isEqual(leaf.value, value) && (path.length === 0 || path.at(-1) === leaf.path.at(-1)),
    );
  const all = flow
    .listFinishedBefore(thrower)
    .flatMap((step): Origin[] =>
      history.listOdd(step, 'returnValue').map((leaf) => ({ step, part: 'returnValue', ...leaf })),
    );
  const odd = all.filter(({ step, path }) => path.length === 0 || !isRecord(step));
  const first = all.find(isReceived) ?? odd[0];
  if (first === undefined) return undefined;
  let origin = first;
  // Ends at a step that was seen before, because the parents of steps can form a cycle.
  for (const seen = new Set<Step>(); !seen.has(origin.step); ) {
    seen.add(origin.step);
    const caller = flow.findCaller(origin.step);
    origin = (caller && odd.find(({ step }) => step === caller)) ?? origin;
  }
  const whole = odd.find(({ step, path }) => step === origin.step && path.length === 0);
  return traceOriginBack(isReceived(origin) ? origin : (whole ?? origin), context);
}

/** Finds an unusual input of the function that threw, or the function that computed the input. */
function findReceived(thrower: Step, { flow, history }: Context): Origin | undefined {
  const [received] = history.listOdd(thrower, 'inputs');
  if (received === undefined) return undefined;
  const source = isDistinct(received.value) ? flow.findProducer(received.value, thrower) : undefined;
  return source !== undefined && source.path.length === 0 && !isRecord(source.step)
    ? { ...source, part: 'returnValue' }
    : { step: thrower, part: 'inputs', ...received };
}

/** True if the value was returned by a function that `step` called, and that no successful request called. */
function isOfNewCall({ step, value }: Origin, { flow, history }: Context): boolean {
  return flow
    .listBelow(step)
    .some(
      (call) => !history.has(call) && flatten(readResult(call)).some((leaf) => isEqual(leaf.value, value)),
    );
}

/**
 * Follows a value back: from the function that returned the value to the function that computed an unusual input of the first function, and
 * so on. If the last value is a missing value, continues to the key for which nothing was found, or to the value that limited the loop in
 * which nothing was found.
 */
function traceOriginBack(first: Origin, context: Context): Origin {
  const { flow } = context;
  let at = first;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const source = findSource(at.step, context);
    if (source === undefined) break;
    at = { ...source, part: 'returnValue' };
  }
  if (!isMissing(at.value) || at.path.length > 0 || flow.hasCaught(at.step)) return at;
  const source = flow.findBound(at.step) ?? findNearestKey(at.step, context);
  return source === undefined ? (findDecider(at.step, context) ?? at) : { ...source, part: 'returnValue' };
}

/**
 * Finds the function that decided that a value is missing: the nearest call below `step` that returned a boolean which no successful call
 * of the same function returned. Skips callbacks: they only pass on the decision of a function that they called.
 */
function findDecider(step: Step, { flow, history }: Context): Origin | undefined {
  const pending = [...flow.listBelow(step)];
  const seen = new Set<Step>();
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const isCallback = flow.findCaller(next) !== undefined;
    const [leaf] = history.listOdd(next, 'returnValue');
    if (!isCallback && typeof leaf?.value === 'boolean' && leaf.path.length === 0)
      return { step: next, part: 'returnValue', ...leaf };
    pending.push(...flow.listBelow(next));
  }
  return undefined;
}

/** Finds the function that computed an unusual input. A number in an object is data, like a record, so it is not followed back. */
function findSource(step: Step, { flow, history }: Context): ProducedValue | undefined {
  const received = history
    .listOdd(step, 'inputs')
    .map(({ value }) => value)
    .find(isDistinct);
  const source = received === undefined ? undefined : flow.findProducer(received, step);
  if (source === undefined || isRecord(source.step) || isLookedUp(source.step, flow)) return undefined;
  return source.path.length > 0 && typeof source.value === 'number' ? undefined : source;
}

/**
 * Finds the key for which `step` found nothing. If {@link findKey} finds no key, or only a member of a result, prefers the key that {@link
 * findOwnKey} finds.
 */
function findNearestKey(step: Step, context: Context): ProducedValue | undefined {
  const key = findKey(step, context);
  return key === undefined || key.path.length > 0 ? (findOwnKey(step, context) ?? key) : key;
}

/**
 * Finds the key for which a function probably found nothing: the last text that a call below `step` computed, if no successful call of the
 * called function returned this text. If later calls below `step` received texts or numbers, the key must be one of these values.
 */
function findOwnKey(step: Step, context: Context): ProducedValue | undefined {
  const { flow } = context;
  const received = new Set<CapturedValue>();
  for (const call of flow.listBelow(step).toReversed()) {
    const text = readResult(call);
    if (text !== undefined && isOwnKey(text, call, context) && (received.size === 0 || received.has(text)))
      return { step: call, path: [], value: text };
    // A callback receives the items that are searched, not the key.
    if (flow.findCaller(call) !== undefined) continue;
    for (const { value } of flatten(call.inputs)) if (isDistinct(value)) received.add(value);
  }
  return undefined;
}

/**
 * True for a text that no successful call of the function returned, and that the call computed from its inputs. A text that contains one of
 * the inputs does not count, because the call probably only concatenated the input with other text.
 */
function isOwnKey(text: CapturedValue, call: Step, { history }: Context): boolean {
  const calls = history.list(call);
  return (
    typeof text === 'string' &&
    isDistinct(text) &&
    call.stepType === 'function' &&
    calls.length > 0 &&
    calls.every((other) => readResult(other) !== text) &&
    isRepeatable(text, call, history) &&
    !flatten(call.inputs).some(({ value }) => isDistinct(value) && text.includes(String(value)))
  );
}

/**
 * Finds the key for which a function found nothing, if this request computed the key. The function that computed the key is nearer to the
 * cause than the function that found nothing.
 */
function findKey(step: Step, { flow, history, given }: Context): ProducedValue | undefined {
  // The inputs of a function's successful calls, by the list of these calls: `history.list` returns the same list for all calls of a
  // function.
  const inputs = new Map<readonly Step[], ReadonlySet<CapturedValue>>();
  const listSeen = (step: Step) => {
    const calls = history.list(step);
    const seen =
      inputs.get(calls) ?? new Set(calls.flatMap((call) => flatten(call.inputs).map(({ value }) => value)));
    inputs.set(calls, seen);
    return seen;
  };
  const find = (by: Step, isKey: (value: CapturedValue) => value is string | number) => {
    const values = [by, ...flow.listBelow(by)].flatMap((each) => {
      const seen = listSeen(each);
      // A key is usually a whole argument, not a member of an argument.
      return flatten(each.inputs)
        .filter(({ path }) => path.length === 1)
        .map(({ value }) => ({ value, seen: seen.has(value) }));
    });
    // Tries the keys first that no successful call had, because a key that successful calls had, too, is rarely the reason.
    const keys = [...values.filter(({ seen }) => !seen), ...values.filter(({ seen }) => seen)];
    for (const value of new Set(keys.map((key) => key.value))) {
      if (!isKey(value) || isFrom(value, given)) continue;
      const source = flow.findProducer(value, by);
      if (source !== undefined && !isData(source.step, flow)) return source;
    }
    return undefined;
  };
  let found = find(step, isDistinct);
  // A number can be wrong because it was calculated from a wrong number. So a key that is a number is followed back to the function that
  // returned one of the numbers from which the key was calculated, as long as that function received numbers, too.
  for (let hop = 0; found !== undefined && typeof found.value === 'number' && hop < MAX_HOPS; hop += 1) {
    const source = find(found.step, isNumber);
    if (source === undefined || !flatten(source.step.inputs).some(({ value }) => typeof value === 'number'))
      break;
    found = source;
  }
  return found;
}

function isNumber(value: CapturedValue): value is number {
  return typeof value === 'number' && isDistinct(value);
}

/** True for a value that the client sent, or for a part of a text that the client sent. */
function isFrom(value: string | number, given: GivenValues): boolean {
  if (given.has(JSON.stringify(value)) || given.has(JSON.stringify(String(value)))) return true;
  return (
    typeof value === 'string' && value.length >= MIN_PART && [...given].some((each) => each.includes(value))
  );
}
