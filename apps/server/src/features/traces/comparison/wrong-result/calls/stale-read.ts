import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { flatten } from '../../call-history.ts';
import { readMembers, readResult } from '../../compare-values.ts';
import { isEqual } from '../../judge-difference.ts';
import { oncePer } from '../../once-per.ts';
import { nameStep, writeSide } from '../../texts/write-values.ts';
import { isNamedCall } from './named-call.ts';

/** Maximum number of calls that are searched, from the start of the request: every change is compared with every result. */
const MAX_STEPS = 300;
/** Objects with more characters of JSON are not compared. */
const MAX_TEXT = 10_000;
/** Names of functions that remove a value from a cache. */
const REMOVES = /(delete|remove|forget|evict|invalidate|clear|drop|expire)/i;
/** Names of functions that give an object the values that it had before. */
const RESETS = /(reset|undo|restore|revert|roll_?back|original)/i;

/** A call that changed a member of an object. */
interface Change {
  readonly step: Step;
  readonly before: ReadObject;
  readonly member: string;
  readonly value: CapturedValue;
}

/**
 * Finds a function that returned an object without a change that an earlier call of the same request had made. The object probably comes
 * from a cache. If a function such as `evict` returned `false` between the change and the read, that function is described, too. Finds
 * nothing if a function in another request also returned an object without an earlier change.
 */
export function findStaleRead(
  steps: readonly Step[],
  goods: readonly (readonly Step[])[],
): ComparisonStatement | undefined {
  const stale = find(steps);
  if (stale === undefined || goods.some((good) => find(good) !== undefined)) return undefined;
  const { step, change, remover } = stale;
  const removed = remover === undefined ? '' : `\`${nameStep(remover)}\` returned false, then `;
  return {
    text: `${removed}\`${nameStep(step)}\` returned ${writeSide(readResult(step))}, as before \`${nameStep(change.step)}\` changed \`${change.member}\` to ${writeSide(change.value)}`,
    step: (remover ?? step).stepId,
    other: null,
  };
}

interface StaleRead {
  readonly step: Step;
  readonly change: Change;
  readonly remover: Step | undefined;
}

function find(all: readonly Step[]): StaleRead | undefined {
  const steps = all.filter(isNamedCall).slice(0, MAX_STEPS);
  const lastReads = new Map<string, string>();
  for (const step of steps) {
    const { json } = readObject(step);
    const { startTime } = step;
    if (startTime > (lastReads.get(json) ?? '')) lastReads.set(json, startTime);
  }
  for (const change of steps.flatMap((step) => listChanges(step, steps, lastReads))) {
    const later = steps.filter(({ startTime }) => startTime >= change.step.endTime);
    const step = later.find((other) => isStale(other, change));
    if (step === undefined) continue;
    if (later.some((other) => other.endTime <= step.endTime && isReset(other, change))) continue;
    // The callers of a function often return the object that they received from the function.
    const inner = later.findLast(
      (other) => other.startTime >= step.startTime && other.endTime <= step.endTime && isStale(other, change),
    );
    const remover = later.find(
      (other) =>
        REMOVES.test(nameStep(other)) && readResult(other) === false && other.endTime <= step.startTime,
    );
    return { step: inner ?? step, change, remover };
  }
  return undefined;
}

/**
 * True for a call that returned the object as it was before the change. A call that received this old object does not count, because the
 * call only passed the object on.
 */
function isStale(step: Step, { before }: Change): boolean {
  const { json, inputs } = readObject(step);
  return json !== '' && json === before.json && !inputs.has(before.json);
}

/** True for a call that probably gave the object its earlier value again, so that later results with this value are right. */
function isReset(step: Step, { before, member }: Change): boolean {
  const name = nameStep(step);
  if (RESETS.test(name)) return true;
  const { json, inputs } = readObject(step);
  return (
    json === before.json && (REMOVES.test(name) || inputs.has(JSON.stringify(before.members.get(member))))
  );
}

/**
 * Lists the earlier results that a call changed: the call returned the same object with one member set to one of the call's inputs. Leaves
 * out objects that no later call returned. `lastReads` maps the JSON of a result to the start time of the last call that returned this
 * result.
 */
function listChanges(step: Step, steps: readonly Step[], lastReads: ReadonlyMap<string, string>): Change[] {
  const after = readObject(step);
  if (after.json === '') return [];
  const seen = new Set<string>();
  return steps.flatMap((earlier) => {
    const before = readObject(earlier);
    if ((lastReads.get(before.json) ?? '') < step.endTime || seen.has(before.json)) return [];
    if (before.keys !== after.keys || before.json === after.json || earlier.endTime > step.endTime) return [];
    seen.add(before.json);
    const members = [...after.members];
    const isSame = members.some(([key, value]) => isIdentity(value) && value === before.members.get(key));
    const [changed] = members.filter(
      ([key, value]) => !isEqual(value, before.members.get(key)) && after.inputs.has(JSON.stringify(value)),
    );
    return isSame && changed !== undefined ? [{ step, before, member: changed[0], value: changed[1] }] : [];
  });
}

interface ReadObject {
  /** The result as JSON; empty if the result is no object with at least two members, or is too large. */
  readonly json: string;
  readonly keys: string;
  readonly members: ReadonlyMap<string, CapturedValue>;
  /** The inputs and their members, each as JSON. */
  readonly inputs: ReadonlySet<string>;
}

const readObject = oncePer((step: Step): ReadObject => {
  const result = readResult(step);
  const members = readMembers(result);
  const json = result === undefined || members.size < 2 ? '' : JSON.stringify(result);
  const isRead = json !== '' && json.length <= MAX_TEXT;
  return {
    json: isRead ? json : '',
    keys: isRead ? JSON.stringify([...members.keys()].sort()) : '',
    members,
    inputs: new Set(isRead ? flatten(step.inputs).map(({ value }) => JSON.stringify(value)) : []),
  };
});

/** True for a value that can identify an object. Booleans and missing values cannot. */
function isIdentity(value: CapturedValue): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}
