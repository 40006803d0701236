import type { CapturedValue, Step } from '@throughline/contract';
import { findValueAt, findValueDifferences, pathText } from '@throughline/contract/captured';
import { type Judgement, judgeDifference } from './judge-difference.ts';

export const STEP_PARTS = ['inputs', 'parameters', 'localVariables', 'returnValue', 'error'] as const;
export type StepPart = (typeof STEP_PARTS)[number];

/** A differing value of a step. */
export interface StepDifference {
  readonly part: StepPart;
  readonly path: readonly (string | number)[];
  readonly value: CapturedValue | undefined;
  readonly otherValue: CapturedValue | undefined;
  readonly judgement: Judgement;
}

/** The most differing values looked for in a part of a step. */
const MAX_IN_PART = 20;

/** Pairs of values that one comparison may still look at: two traces can hold millions. */
export interface ComparisonBudget {
  values: number;
}

const MAX_VALUES_IN_PART = 20_000;

/** Finds the values of a part that differ between two steps, judged by the same step of other successful requests. */
export function compareParts(
  part: StepPart,
  { left, right, goods }: { readonly left: Step; readonly right: Step; readonly goods: readonly Step[] },
  budget: ComparisonBudget,
): StepDifference[] {
  const [value, otherValue] = [readPart(left, part), readPart(right, part)];
  // Nothing captured says nothing: a limit or the mode left it out.
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
    judgement: isLeftOut(part, path, [differing, other])
      ? 'ordinary'
      : judgeDifference(
          differing,
          others.map((each) => findValueAt(each, path)),
        ),
  }));
}

/** A variable that was not bound yet when the function returned, or a further item of a list that has others: lists are of any length. */
function isLeftOut(
  part: StepPart,
  path: StepDifference['path'],
  sides: readonly (CapturedValue | undefined)[],
): boolean {
  if (!sides.includes(undefined)) return false;
  const last = path.at(-1);
  return (part === 'localVariables' && path.length === 1) || (typeof last === 'number' && last > 0);
}

/** Reads a part of a step; undefined where nothing of it was captured. */
function readPart(step: Step, part: StepPart): CapturedValue | undefined {
  const { variables } = step;
  switch (part) {
    case 'inputs':
      return step.inputs;
    case 'parameters':
      return variables?.parameters;
    case 'localVariables':
      return variables?.localVariables;
    case 'returnValue':
      return variables?.returnValue ?? step.outputs;
    case 'error':
      return step.error === null ? null : step.error.message;
  }
}

/** The place of a difference as code writes it. */
export function placeText({ part, path }: Pick<StepDifference, 'part' | 'path'>): string {
  if (path.length > 0) return pathText(path);
  return part === 'returnValue' ? 'the return value' : part === 'error' ? 'the error' : part;
}
