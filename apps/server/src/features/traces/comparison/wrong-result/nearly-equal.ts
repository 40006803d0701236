import type { ComparisonStatement, Step } from '@throughline/contract';
import { findValueAt, formatPath } from '@throughline/contract/captured';
import { flatten, type Path } from '../call-history.ts';
import { readResult } from '../compare-values.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/** Maximum relative difference of two numbers that differ only because decimals cannot be represented exactly. */
const MAX_DIFFERENCE = 8 * Number.EPSILON;
/** An inexact sum has at least this many decimals, such as 0.30000000000000004. */
const MIN_DECIMALS = 12;
/** The exact number has at most this many decimals. */
const MAX_DECIMALS = 6;

interface Amount {
  readonly path: Path;
  readonly value: number;
}

/**
 * Finds a call that received two numbers that differ only by the inexactness of a sum, such as 0.7999999999999999 and 0.8, and that
 * returned another boolean than the calls with two equal numbers. Describes the function that computed the inexact number.
 */
export function findNearlyEqual(
  steps: readonly Step[],
  listCalls: (step: Step) => readonly Step[],
): ComparisonStatement | undefined {
  for (const step of steps) {
    const numbers = flatten(step.inputs).flatMap(({ path, value }): Amount[] =>
      typeof value === 'number' && path.length > 0 ? [{ path, value }] : [],
    );
    const inexact = numbers.find(({ value }) => countDecimals(value) >= MIN_DECIMALS);
    const exact = inexact && numbers.find((other) => isNearlyEqual(inexact.value, other.value));
    if (inexact === undefined || exact === undefined) continue;
    if (!isDecidedOtherwise(step, [inexact.path, exact.path], listCalls(step))) continue;
    const maker = steps.find(
      (other) => readResult(other) === inexact.value && !other.stepName.endsWith(' callback'),
    );
    const made =
      maker === undefined ? '' : `\`${nameStep(maker)}\` returned ${writeSide(inexact.value)}, then `;
    return {
      text: `${made}\`${formatPath(inexact.path)}\` is ${writeSide(inexact.value)} in \`${nameStep(step)}\`, slightly different from \`${formatPath(exact.path)}\` ${writeSide(exact.value)}: sums of decimals are not exact`,
      step: (maker ?? step).stepId,
      other: null,
    };
  }
  return undefined;
}

/** True if the call returned a boolean, and all calls in which the inputs at the two paths are equal returned the other boolean. */
function isDecidedOtherwise(
  step: Step,
  [one, other]: readonly [Path, Path],
  calls: readonly Step[],
): boolean {
  const result = readResult(step);
  const equal = calls.filter(({ inputs }) => {
    const [a, b] = [one, other].map((path) => (inputs === undefined ? undefined : findValueAt(inputs, path)));
    return a !== undefined && a === b;
  });
  return (
    typeof result === 'boolean' && equal.length > 0 && equal.every((call) => readResult(call) === !result)
  );
}

function isNearlyEqual(one: number, other: number): boolean {
  return (
    one !== other &&
    countDecimals(other) <= MAX_DECIMALS &&
    Math.abs(one - other) <= Math.abs(other) * MAX_DIFFERENCE
  );
}

function countDecimals(value: number): number {
  const [, decimals = ''] = String(value).split('.');
  return decimals.length;
}
