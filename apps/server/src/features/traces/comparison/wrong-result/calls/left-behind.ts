import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { findValueDifferences, formatPath, type ValueDifference } from '@throughline/contract/captured';
import { identifyCall } from '../../align-steps.ts';
import { flatten } from '../../call-history.ts';
import type { GivenValues } from '../../cause/given-values.ts';
import { readMembers, readResult } from '../../compare-values.ts';
import { isEqual } from '../../judge-difference.ts';
import { oncePer } from '../../once-per.ts';
import { nameStep, writeCallValue, writeSide } from '../../texts/write-values.ts';
import { isNamedCall } from './named-call.ts';

/** Limits of one comparison of two values. */
export const LIMITS = { differences: 10, values: 500 } as const;
/** Maximum number of pairs of calls that are compared. */
const MAX_PAIRS = 2000;
/** Minimum number of calls that left their arguments unchanged. A function that always changes its arguments is meant to change them. */
const MIN_UNCHANGED = 2;
/** Minimum number of earlier calls that saw the same value. A value that every request changes is not seen this often. */
const MIN_SAME = 3;

type Path = readonly (string | number)[];

/** A member of an argument that a call set. The path begins with the name of the argument. */
interface Change {
  readonly step: Step;
  readonly path: Path;
  readonly value: CapturedValue;
}

/**
 * A value that a call received or returned, and the change that another request made in this value. `name` is the argument; undefined for a
 * result.
 */
interface Found {
  readonly step: Step;
  readonly name: string | undefined;
  readonly value: CapturedValue;
  readonly change: Change;
}

/**
 * Finds a call that received or returned an object which a call of an earlier request had changed. In the earlier request, the same
 * function received or returned the object without the change. The change is described only if it is an exception, since most changes are
 * meant to last: the function usually leaves its arguments unchanged, or several earlier requests saw the same object.
 */
export function findLeftBehind(
  steps: readonly Step[],
  goods: readonly (readonly Step[])[],
  { startTime, given }: Inspected,
): ComparisonStatement | undefined {
  const own = steps.flatMap(listChanges);
  const changes = goods
    .flatMap((good) => good.flatMap(listChanges).map((change) => ({ ...change, request: good })))
    .filter(
      ({ step, path, value }) =>
        step.endTime < startTime &&
        !isGivenValue(value, given) &&
        !own.some((each) => hasSet(each, path, value)),
    );
  if (changes.length === 0) return undefined;
  const all = groupCalls([...steps, ...goods.flat()]);
  const earlier = {
    goods,
    changes,
    isExceptional: (change: Change) => isExceptional(all.get(identifyCall(change.step)) ?? []),
    budget: { pairs: MAX_PAIRS },
  };
  const found = steps.flatMap((step) => findInCall({ step, steps }, earlier) ?? []);
  const [first] = found.sort((a, b) => (readTime(a) < readTime(b) ? -1 : 1));
  return first && write(first);
}

function write({ step, name, value, change }: Found): ComparisonStatement {
  const call = nameStep(step);
  const seen = writeCallValue({ call, isResult: name === undefined, place: name, value: writeSide(value) });
  const set = `\`${nameStep(change.step)}\` set \`${formatPath(change.path)}\` to ${writeSide(change.value)}`;
  return { text: `${seen}: ${set} in an earlier request`, step: step.stepId, other: null };
}

/** Returns the time at which the argument was received, or at which the result was returned. */
function readTime({ step, name }: Pick<Found, 'step' | 'name'>): string {
  return name === undefined ? step.endTime : step.startTime;
}

/** Facts about the inspected request. */
export interface Inspected {
  readonly startTime: string;
  /** The values that the client sent. */
  readonly given: GivenValues;
}

interface MadeChange extends Change {
  readonly request: readonly Step[];
}

interface Earlier {
  readonly goods: readonly (readonly Step[])[];
  readonly changes: readonly MadeChange[];
  readonly isExceptional: (change: Change) => boolean;
  readonly budget: { pairs: number };
}

/**
 * Compares a call with calls of the same function and the same key (see {@link hasSameKey}) in other requests. Finds a value that differs
 * between the call and such an earlier call, because a request changed the value after the earlier call.
 */
function findInCall(
  { step, steps }: { readonly step: Step; readonly steps: readonly Step[] },
  { goods, changes, isExceptional: isRare, budget }: Earlier,
): Found | undefined {
  if (!isNamedCall(step)) return undefined;
  const calls = goods.flatMap((request) =>
    (groupCalls(request).get(identifyCall(step)) ?? []).flatMap((call) => {
      budget.pairs -= 1;
      return budget.pairs >= 0 && hasSameKey([step, steps], [call, request]) ? [{ call, request }] : [];
    }),
  );
  const requests = new Set(calls.map(({ request }) => request));
  const set = changes.filter(({ request }) => requests.has(request));
  if (set.length === 0) return undefined;
  for (const [name, value] of listValues(step)) {
    if (typeof value !== 'object' || value === null) continue;
    const known = calls.flatMap(({ call }) => {
      const was = listValues(call).get(name);
      return was === undefined ? [] : [{ was, at: readTime({ step: call, name }) }];
    });
    for (const { was, at } of known) {
      const change = explain({ value, was }, at, set);
      if (change === undefined) continue;
      const same = known.filter((other) => other.at <= change.step.startTime && isEqual(other.was, was));
      if (same.length >= MIN_SAME || isRare(change)) return { step, name, value, change };
    }
  }
  return undefined;
}

/** Returns a change that was made after the time `at`, if the changes explain all differences between the values. */
function explain(
  { value, was }: { readonly value: CapturedValue; readonly was: CapturedValue },
  at: string,
  changes: readonly Change[],
): Change | undefined {
  const later = changes.filter(({ step }) => at <= step.startTime);
  if (later.length === 0) return undefined;
  const { found } = findValueDifferences(value, was, LIMITS);
  if (found.length === 0 || found.length >= LIMITS.differences) return undefined;
  const isExplained = (all: readonly Change[], { path, left }: ValueDifference) =>
    all.some((change) => hasSet(change, path, left));
  if (!found.every((difference) => isExplained(changes, difference))) return undefined;
  return later.find((change) => found.some((difference) => isExplained([change], difference)));
}

/** True if the change set the value `left`, and one of the two paths ends with the other path. */
function hasSet({ path, value }: Change, seen: Path, left: CapturedValue | undefined): boolean {
  const [shorter, longer] = path.length < seen.length ? [path, seen] : [seen, path];
  return shorter.length > 0 && isEqual(value, left) && isEqual(shorter, longer.slice(-shorter.length));
}

/** Lists the arguments of a call, by name, and its result, whose name is undefined. */
function listValues(step: Step): ReadonlyMap<string | undefined, CapturedValue> {
  const result = readResult(step);
  const values = new Map<string | undefined, CapturedValue>(readMembers(step.inputs));
  return result === undefined ? values : values.set(undefined, result);
}

/** Lists the members that a call set in its arguments. */
const listChanges = oncePer((step: Step): readonly Change[] => {
  const after = readMembers(step.variables?.parameters);
  if (after.size === 0 || !isNamedCall(step)) return [];
  return [...readMembers(step.inputs)].flatMap(([name, before]) => {
    const left = after.get(name);
    if (left === undefined || typeof before !== 'object' || before === null) return [];
    return findValueDifferences(left, before, LIMITS).found.flatMap(({ path, left: value }) =>
      value === undefined || path.length === 0 ? [] : [{ step, path: [name, ...path], value }],
    );
  });
});

/** True if at least half of the calls of a function, and at least `MIN_UNCHANGED` calls, left their arguments unchanged. */
function isExceptional(calls: readonly Step[]): boolean {
  const known = calls.filter(({ inputs }) => inputs !== undefined);
  const changing = known.filter((call) => listChanges(call).length > 0).length;
  return known.length - changing >= Math.max(MIN_UNCHANGED, changing);
}

const groupCalls = oncePer((steps: readonly Step[]) => Map.groupBy(steps.filter(isNamedCall), identifyCall));

type Placed = readonly [Step, readonly Step[]];

/**
 * True if both calls are about the same thing: their simple arguments (arguments that are not objects) are equal. If neither call has
 * simple arguments, the nearest callers with simple arguments must have an equal key.
 */
function hasSameKey([step, steps]: Placed, [other, others]: Placed): boolean {
  const [own, theirs] = [listSimple(step), listSimple(other)];
  if (own.size > 0 || theirs.size > 0)
    return own.size === theirs.size && [...own].every(([name, value]) => theirs.get(name) === value);
  let [at, otherAt] = [findCaller(step, steps), findCaller(other, others)];
  for (let depth = 0; at !== undefined && otherAt !== undefined && depth < MAX_DEPTH; depth += 1) {
    const [names, otherNames] = [listKeys(at), listKeys(otherAt)];
    if (names.size > 0 || otherNames.size > 0)
      return [...names].some(([name, value]) => otherNames.get(name) === value);
    [at, otherAt] = [findCaller(at, steps), findCaller(otherAt, others)];
  }
  return true;
}

/** Maximum number of callers that are searched for a simple argument. */
const MAX_DEPTH = 50;

function findCaller(step: Step, steps: readonly Step[]): Step | undefined {
  return indexSteps(steps).get(step.parentStepId ?? '');
}

const indexSteps = oncePer(
  (steps: readonly Step[]): ReadonlyMap<string, Step> => new Map(steps.map((step) => [step.stepId, step])),
);

function listSimple({ inputs }: Step): ReadonlyMap<string, CapturedValue> {
  return new Map([...readMembers(inputs)].filter(([, value]) => typeof value !== 'object'));
}

/**
 * Lists the text arguments of a call. If there are none, lists the other simple arguments. Texts are preferred, because small numbers are
 * often equal by chance.
 */
function listKeys(step: Step): ReadonlyMap<string, CapturedValue> {
  const simple = listSimple(step);
  const texts = new Map([...simple].filter(([, value]) => typeof value === 'string'));
  return texts.size > 0 ? texts : simple;
}

/** True if the client of the inspected request sent a text that is the value or is in the value. */
function isGivenValue(value: CapturedValue, given: GivenValues): boolean {
  return flatten(value).some(
    (leaf) => typeof leaf.value === 'string' && given.has(JSON.stringify(leaf.value)),
  );
}
