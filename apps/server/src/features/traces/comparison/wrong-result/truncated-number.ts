import type { ComparisonStatement, Step } from '@throughline/contract';
import { readMembers, readResult } from '../compare-values.ts';
import { nameStep } from '../texts/write-values.ts';

/** Minimum number of other calls, and of different results of these calls. With fewer, the factor could be a coincidence. */
const MIN = { calls: 3, results: 2 } as const;
/** Maximum relative error of a product of two numbers. */
const MAX_ERROR = 1e-12;

/**
 * Finds a call that multiplied a number and truncated the product to an integer that is one too low. For example, 19.99 × 100 becomes 1998,
 * because the product of the stored numbers is 1998.9999999999998. All other calls multiplied by the same factor and returned the exact
 * product.
 */
export function findTruncated(step: Step, calls: readonly Step[]): ComparisonStatement | undefined {
  const result = readResult(step);
  if (typeof result !== 'number' || !Number.isInteger(result) || calls.length < MIN.calls) return undefined;
  for (const [name, value] of readMembers(step.inputs)) {
    if (typeof value !== 'number' || value === 0) continue;
    const factor = findFactor(name, calls);
    if (factor === undefined) continue;
    const product = Math.round(value * factor);
    if (!isNear(value * factor, product) || Math.abs(result - product) !== 1) continue;
    return {
      text: `\`${nameStep(step)}\` returned ${result} for \`${name}\` ${value}, not ${product}; in other calls the result is always ${factor} times \`${name}\``,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

/** Returns the factor by which all calls multiplied an argument. */
function findFactor(name: string, calls: readonly Step[]): number | undefined {
  const results = new Set<number>();
  let factor: number | undefined;
  for (const call of calls) {
    const [value, result] = [readMembers(call.inputs).get(name), readResult(call)];
    if (typeof value !== 'number' || typeof result !== 'number') return undefined;
    if (value === 0 && result === 0) continue;
    factor ??= Number((result / value).toPrecision(12));
    if (!isNear(value * factor, result)) return undefined;
    results.add(result);
  }
  return results.size >= MIN.results && factor !== 1 ? factor : undefined;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * MAX_ERROR;
}
