import type { CapturedValue, Step } from '@throughline/contract';
import { type CallHistory, flatten, isMissing, type Leaf, type Origin } from '../call-history.ts';
import type { CallFlow } from '../cause/call-flow.ts';
import { readResult } from '../compare-values.ts';
import type { KnownResults } from '../known-results.ts';
import { findOtherFormula } from './arithmetic.ts';
import { hasClockChange } from './clock-change.ts';
import { isData } from './is-data.ts';
import { isRepeatable } from './is-repeatable.ts';

/** Minimum number of other calls of a function. With fewer, the usual results of the function are unknown. */
const MIN_CALLS = 2;
/** Minimum number of values in other calls. With fewer, a new value is not unusual. */
const MIN_COMPARED = 3;
/** Maximum share of distinct values among the calls' texts. With a larger share, the texts are not kinds, such as types or states. */
const MAX_KINDS_SHARE = 0.75;

interface Context {
  readonly flow: CallFlow;
  readonly history: CallHistory;
  readonly results: KnownResults;
}

/** The signs of a wrong result, strongest first. Each sign finds a value in the result that a function computed. */
const SIGNS: readonly ((
  step: Step,
  computed: readonly Leaf[],
  calls: readonly Step[],
) => Leaf | undefined)[] = [
  (step, _computed, calls) => findOtherFormula(step, calls),
  (step, [first], calls) =>
    flatten(step.inputs).some((leaf) => isNewKind(leaf, calls)) || isOfEqualInputs(step, calls)
      ? first
      : undefined,
  (_step, computed, calls) => computed.find((leaf) => isOutOfRange(leaf, calls)),
];

/**
 * Finds the first function with the strongest sign of a wrong result. The signs, strongest first: the function calculated a number by
 * another formula than usual; an input is of a new kind, or two inputs are equal; the function computed a number outside the usual range.
 * Functions that looked up data are left out, and so are functions with a known result for their inputs.
 */
export function findSuspect(steps: readonly Step[], context: Context): Origin | undefined {
  const computed = steps.flatMap((step) => {
    const values = listComputed(step, context);
    return values.length === 0 ? [] : [{ step, values, calls: context.history.list(step) }];
  });
  for (const find of SIGNS) {
    for (const { step, values, calls } of computed) {
      const leaf = find(step, values, calls);
      if (leaf !== undefined) return { step, part: 'returnValue', ...leaf };
    }
  }
  return undefined;
}

/** Finds the first function that calculated with times between which clocks changed. */
export function findClockChange(steps: readonly Step[], { flow, history }: Context): Origin | undefined {
  for (const step of steps) {
    const value = readResult(step);
    const calls = history.list(step);
    if (step.stepType !== 'function' || step.error !== null || calls.length < MIN_COMPARED) continue;
    if (value === undefined || typeof value === 'object' || isData(step, flow)) continue;
    if (hasClockChange(step, calls)) return { step, part: 'returnValue', path: [], value };
  }
  return undefined;
}

/**
 * Finds the first function that computed a value that no successful call of the function returned. A computed value says more than
 * looked-up data, which differs in every request.
 */
export function findFirstComputed(steps: readonly Step[], context: Context): Origin | undefined {
  // The results of a function's successful calls, by the list of these calls: `history.list` returns the same list for all calls of a
  // function.
  const known = new Map<readonly Step[], ReadonlySet<CapturedValue>>();
  for (const step of steps) {
    const values = listComputed(step, context);
    if (values.length === 0) continue;
    const calls = context.history.list(step);
    const results = known.get(calls) ?? new Set(calls.flatMap(listResults));
    known.set(calls, results);
    const inputs = flatten(step.inputs).flatMap(({ value }) =>
      typeof value === 'string' ? [value.toLowerCase()] : [],
    );
    const isPart = (value: CapturedValue) =>
      typeof value === 'string' && inputs.some((input) => input.includes(value.toLowerCase()));
    const leaf = values.find(
      ({ value }) => !results.has(value) && !isPart(value) && isRepeatable(value, step, context.history),
    );
    if (leaf !== undefined) return { step, part: 'returnValue', ...leaf };
  }
  return undefined;
}

function listResults(step: Step): readonly CapturedValue[] {
  return flatten(readResult(step)).map(({ value }) => value);
}

/** Lists the values in a call's result that neither the call's inputs nor the results of the calls below contain. */
function listComputed(step: Step, { flow, history, results }: Context): readonly Leaf[] {
  if (step.stepType !== 'function' || step.error !== null || flow.findCaller(step) !== undefined) return [];
  if (history.list(step).length < MIN_CALLS || isData(step, flow) || results.isKnownResult(step)) return [];
  const known = new Set(
    [...flatten(step.inputs), ...flow.listBelow(step).flatMap((call) => flatten(readResult(call)))].map(
      ({ value }) => value,
    ),
  );
  return flatten(readResult(step)).filter(({ value }) => isComputed(value) && !known.has(value));
}

/**
 * True if two numbers or texts among the call's inputs are equal to each other, and no other call of the function has two equal inputs.
 * Comparisons such as `<` instead of `<=` go wrong only if both values are equal.
 */
function isOfEqualInputs(step: Step, calls: readonly Step[]): boolean {
  return calls.length >= MIN_COMPARED && hasEqualInputs(step) && !calls.some((call) => hasEqualInputs(call));
}

function hasEqualInputs({ inputs }: Step): boolean {
  const values = flatten(inputs)
    .filter(
      ({ path, value }) => path.length > 0 && isLimit(value) && path.every((key) => typeof key === 'string'),
    )
    .map(({ value }) => JSON.stringify(value));
  return new Set(values).size < values.length;
}

/** True for a value that is large or long enough not to be equal to another value by chance. */
function isLimit(value: CapturedValue): boolean {
  return typeof value === 'string' ? value.length > 3 : typeof value === 'number' && Math.abs(value) >= 10;
}

function isComputed(value: CapturedValue): boolean {
  return (
    typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' || isMissing(value)
  );
}

/** True for a text or boolean that no other call had as this argument, if the argument has only a few values, such as types or states. */
function isNewKind({ path, value }: Leaf, calls: readonly Step[]): boolean {
  if (path.length !== 1 || (typeof value !== 'string' && typeof value !== 'boolean')) return false;
  const others = readAt(
    calls.map(({ inputs }) => inputs),
    path,
  );
  const kinds = new Set(others);
  return others.length >= MIN_COMPARED && kinds.size <= others.length * MAX_KINDS_SHARE && !kinds.has(value);
}

function isOutOfRange({ path, value }: Leaf, calls: readonly Step[]): boolean {
  if (typeof value !== 'number') return false;
  const others = readAt(calls.map(readResult), path).filter((other) => typeof other === 'number');
  return others.length >= MIN_COMPARED && (value > Math.max(...others) || value < Math.min(...others));
}

function readAt(values: readonly (CapturedValue | undefined)[], path: Leaf['path']): CapturedValue[] {
  const key = JSON.stringify(path);
  return values.flatMap((each) => indexLeaves(each).get(key) ?? []);
}

/** Caches the leaves of each value by path, because one value is compared with many leaves. */
const indexes = new WeakMap<object, ReadonlyMap<string, readonly CapturedValue[]>>();

function indexLeaves(value: CapturedValue | undefined): ReadonlyMap<string, readonly CapturedValue[]> {
  const isObject = typeof value === 'object' && value !== null;
  const known = isObject ? indexes.get(value) : undefined;
  if (known !== undefined) return known;
  const index = new Map<string, CapturedValue[]>();
  for (const leaf of flatten(value)) {
    const key = JSON.stringify(leaf.path);
    const values = index.get(key);
    if (values === undefined) index.set(key, [leaf.value]);
    else values.push(leaf.value);
  }
  if (isObject) indexes.set(value, index);
  return index;
}
