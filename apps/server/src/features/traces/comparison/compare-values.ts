import type { CapturedValue, Step } from '@throughline/contract';
import { findValueAt, findValueDifferences, formatPath, listParts } from '@throughline/contract/captured';
import { type Judgement, judgeDifference } from './judge-difference.ts';

export const STEP_PARTS = ['inputs', 'parameters', 'localVariables', 'returnValue', 'error'] as const;
export type StepPart = (typeof STEP_PARTS)[number];

/** A value of a step that differs between the two requests. */
export interface StepDifference {
  readonly part: StepPart;
  readonly path: readonly (string | number)[];
  readonly value: CapturedValue | undefined;
  readonly otherValue: CapturedValue | undefined;
  readonly judgement: Judgement;
  /** Number of successful requests with which the value was compared. */
  readonly goods: number;
}

/** Maximum number of differences that are searched for in one part of a step. */
const MAX_IN_PART = 20;

/** Number of value pairs that the comparison can still read: two traces can contain millions. */
export interface ComparisonBudget {
  values: number;
}

const MAX_VALUES_IN_PART = 20_000;

/**
 * Finds the values in one part of a step, such as its inputs, that differ between two steps. Judges each difference by the values of the
 * same step in other successful requests.
 */
export function compareParts(
  part: StepPart,
  { left, right, goods }: { readonly left: Step; readonly right: Step; readonly goods: readonly Step[] },
  budget: ComparisonBudget,
): StepDifference[] {
  const [value, otherValue] = [readPart(left, part), readPart(right, part)];
  // A missing part is not a difference: a limit or the capture mode can have excluded the value.
  if (value === undefined || otherValue === undefined || budget.values <= 0) return [];
  const limit = Math.min(budget.values, MAX_VALUES_IN_PART);
  const { found, looked } = findValueDifferences(value, otherValue, {
    differences: MAX_IN_PART,
    values: limit,
  });
  budget.values -= looked;
  const others = [right, ...goods].map((step) => readPart(step, part)).filter((each) => each !== undefined);
  return found.map(({ path, left: differing, right: other }) => ({
    part,
    path,
    value: differing,
    otherValue: other,
    goods: others.length,
    judgement: isLeftOut(part, path, [differing, other])
      ? 'ordinary'
      : judgeDifference(
          differing,
          others.map((each) => findValueAt(each, path)),
        ),
  }));
}

/**
 * True if one of the values is absent where this is usual: for a local variable, which can be unset when the function returned, and for any
 * list item but the first, because the length of a list varies.
 */
function isLeftOut(
  part: StepPart,
  path: StepDifference['path'],
  sides: readonly (CapturedValue | undefined)[],
): boolean {
  if (!sides.includes(undefined)) return false;
  const last = path.at(-1);
  return (part === 'localVariables' && path.length === 1) || (typeof last === 'number' && last > 0);
}

/** Reads a part of a step; undefined if the part was not captured. */
export function readPart(step: Step, part: StepPart): CapturedValue | undefined {
  const { variables } = step;
  switch (part) {
    case 'inputs':
      return step.inputs;
    case 'parameters':
      return variables?.parameters;
    case 'localVariables':
      return variables?.localVariables;
    case 'returnValue':
      return readResult(step);
    case 'error':
      return step.error === null ? null : step.error.message;
  }
}

/** Returns the members of an object, such as a step's local variables, by their names. */
export function readMembers(value: CapturedValue | undefined): ReadonlyMap<string, CapturedValue> {
  if (value === undefined) return new Map();
  return new Map(
    listParts(value).children.flatMap(({ label, value: member }) =>
      label.kind === 'key' ? [[label.text, member] as const] : [],
    ),
  );
}

/** Returns a step's result, which can be null; undefined if no result was captured. */
export function readResult({ variables, outputs }: Step): CapturedValue | undefined {
  return variables?.returnValue === undefined ? outputs : variables.returnValue;
}

/** Formats the position of a difference as code would, such as `order.items[0]`. */
export function placeText({ part, path }: Pick<StepDifference, 'part' | 'path'>): string {
  if (path.length > 0) return formatPath(path);
  return part === 'returnValue' ? 'the return value' : part === 'error' ? 'the error' : part;
}

/** True for a text or number that is long enough to identify a value that was passed on. Short values can be equal by chance. */
export function isDistinct(value: CapturedValue): value is string | number {
  return typeof value === 'string' ? value.length > 1 : typeof value === 'number' && Math.abs(value) > 1;
}
