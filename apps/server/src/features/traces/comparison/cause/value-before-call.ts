import type { CapturedValue, Step } from '@throughline/contract';
import { findValueAt } from '@throughline/contract/captured';
import { readMembers, readResult, type StepPart } from '../compare-values.ts';
import { isEqual } from '../judge-difference.ts';

type Path = readonly (string | number)[];
type FindStep = (stepId: string) => Step | undefined;

/** Builds a function that takes a step, and returns a look-up by id among the steps of the same request. */
export function indexRequests(requests: readonly (readonly Step[])[]): (of: Step) => FindStep {
  const indexes = new Map<Step, ReadonlyMap<string, Step>>();
  for (const steps of requests) {
    const byId = new Map(steps.map((step) => [step.stepId, step]));
    for (const step of steps) indexes.set(step, byId);
  }
  return (of) => (stepId) => indexes.get(of)?.get(stepId);
}

/**
 * True if the right call changed an argument, or an object in a variable, and the left call did not: a call that returned early did not
 * reach the change. Arguments and variables are captured at the end of a call, so these values differ although they were equal at first.
 */
export function isChangedByOther(
  part: StepPart,
  path: Path,
  {
    left,
    right,
    findOf,
  }: { readonly left: Step; readonly right: Step; readonly findOf: (of: Step) => FindStep },
): boolean {
  if (part !== 'parameters' && part !== 'localVariables') return false;
  return (
    hasChanged(part, path, left, findOf(left)) === false &&
    hasChanged(part, path, right, findOf(right)) === true
  );
}

/** True if the call changed the value; undefined if the value before the call, or before the variable was set, is unknown. */
function hasChanged(part: StepPart, path: Path, step: Step, find: FindStep): boolean | undefined {
  const held = part === 'parameters' ? step.variables?.parameters : step.variables?.localVariables;
  const [name, ...rest] = path;
  if (held === undefined || typeof name !== 'string') return undefined;
  const before = part === 'parameters' ? readMembers(step.inputs).get(name) : findFirstSeen(name, step, find);
  return before === undefined ? undefined : !isEqual(findValueAt(before, rest), findValueAt(held, path));
}

/** Returns a variable's object as an earlier step recorded it, such as the step of the function that returned the object. */
function findFirstSeen(name: string, step: Step, find: FindStep): CapturedValue | undefined {
  const origin = readMembers(step.variables?.seenBefore).get(name);
  if (!Array.isArray(origin)) return undefined;
  const [stepId, nameThere]: unknown[] = origin;
  if (typeof stepId !== 'string' || typeof nameThere !== 'string') return undefined;
  const there = find(stepId);
  if (there === undefined) return undefined;
  if (nameThere === 'return') return readResult(there);
  if (nameThere === 'this') return there.variables?.thisContext;
  const { parameters, localVariables } = there.variables ?? {};
  return readMembers(parameters).get(nameThere) ?? readMembers(localVariables).get(nameThere);
}
