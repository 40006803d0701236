import type { ComparisonStatement, Step } from '@throughline/contract';
import { identifyCall } from '../../align-steps.ts';
import { readResult } from '../../compare-values.ts';
import { nameStep, writeSide } from '../../texts/write-values.ts';

/** Minimum number of other calls of the function. With fewer, the error can be usual. */
const MIN_CALLS = 3;
/** Maximum product of the request's steps and all steps of the other requests, which are searched for each caught error. */
const MAX_PAIRS = 100_000;
/** Names of errors that come from a mistake in the code, not from data or from another service. */
const OF_CODE = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError']);

/**
 * Finds an error that a function threw and that its caller caught; the caller then returned a value. In other requests, the function never
 * failed. Finds nothing if the failed call was made again: a retry is no mistake. Reports the function if the error is one of `OF_CODE`,
 * otherwise the caller.
 */
export function findSwallowed(
  steps: readonly Step[],
  goods: readonly (readonly Step[])[],
): ComparisonStatement | undefined {
  const isTooLarge = steps.length * goods.reduce((sum, good) => sum + good.length, 0) > MAX_PAIRS;
  if (isTooLarge || hasRepeatedFailure(steps)) return undefined;
  const byId = new Map(steps.map((step) => [step.stepId, step]));
  for (const step of steps) {
    const caller = byId.get(step.parentStepId ?? '');
    if (step.error === null || caller === undefined || caller.error !== null) continue;
    const result = readResult(caller);
    if (step.stepType !== 'function' || caller.stepType !== 'function' || result === undefined) continue;
    const key = identifyCall(step);
    const isRetried = steps.some(
      (other) =>
        other !== step &&
        other.parentStepId === step.parentStepId &&
        identifyCall(other) === key &&
        other.error === null,
    );
    const others = goods.flatMap((good) => good.filter((other) => identifyCall(other) === key));
    if (isRetried || others.length < MIN_CALLS || others.some((other) => other.error !== null)) continue;
    const isOfCode = OF_CODE.has(step.error.name ?? '');
    return {
      text: `\`${nameStep(step)}\` threw “${step.error.message}”, then \`${nameStep(caller)}\` returned ${writeSide(result)} nevertheless; in other requests \`${nameStep(step)}\` never failed`,
      step: (isOfCode ? step : caller).stepId,
      other: null,
    };
  }
  return undefined;
}

/** True if a caller made a failed call again, and the call failed again. */
function hasRepeatedFailure(steps: readonly Step[]): boolean {
  const failed = steps.filter(({ error }) => error !== null);
  const keys = failed.map((step) => `${step.parentStepId} ${identifyCall(step)}`);
  return new Set(keys).size < keys.length;
}
