import { type ComparisonStatement, formatCounted, type Step } from '@throughline/contract';
import { identifyCall } from '../align-steps.ts';
import { readResult } from '../compare-values.ts';
import { nameStep } from '../texts/write-values.ts';

/** Minimum number of compared requests that called the function. With fewer, the usual results of the function are unknown. */
const MIN_REQUESTS = 3;

/**
 * Finds the last function that returned the same boolean in all of its calls, although it also returned the other boolean in each compared
 * request that called the function.
 */
export function findOneSidedTest(
  steps: readonly Step[],
  goods: readonly (readonly Step[])[],
): ComparisonStatement | undefined {
  const groups = [...Map.groupBy(steps.filter(isTest), identifyCall)];
  if (groups.length === 0) return undefined;
  const others = goods.map((good) => Map.groupBy(good.filter(isTest), identifyCall));
  for (const [key, calls] of groups.toReversed()) {
    const results = new Set(calls.map(readResult));
    const [step] = calls;
    const [result] = results;
    if (step === undefined || results.size > 1) continue;
    const requests = others.map((good) => good.get(key)).filter((called) => called !== undefined);
    const isUsual = (good: readonly Step[]) => good.some((call) => readResult(call) !== result);
    if (requests.length < MIN_REQUESTS || !requests.every(isUsual)) continue;
    const often = calls.length === 1 ? '' : ` in all ${formatCounted(calls.length, 'call')}`;
    return {
      text: `\`${nameStep(step)}\` returned ${result}${often}; in each compared request that called it, it also returned ${result !== true}`,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

function isTest(step: Step): boolean {
  return (
    step.stepType === 'function' &&
    step.error === null &&
    typeof readResult(step) === 'boolean' &&
    !step.stepName.endsWith(' callback')
  );
}
