import type { Step } from '@throughline/contract';

/**
 * Matches a callback of a list method that uses the callback's result immediately. If the callback is asynchronous, the method uses the
 * callback's promise instead of its result: as `true`, or in `sort` as a number.
 */
const USES_RESULT = /\.(find|findIndex|findLast|findLastIndex|filter|some|every|sort|toSorted)\(\) callback$/;

/** A function that passed an asynchronous callback to a method of a list that does not wait for the callback. */
export interface UnawaitedCallback {
  readonly step: Step;
  readonly callback: Step;
}

/** Finds the first asynchronous callback whose result a method of a list used before the result was known. */
export function findNotAwaited(steps: readonly Step[]): UnawaitedCallback | undefined {
  const callback = steps.find(
    ({ stepName, functionName, metadata }) =>
      USES_RESULT.test(functionName ?? stepName) && isDetached(metadata),
  );
  const step = callback && steps.find(({ stepId }) => stepId === callback.parentStepId);
  return callback && step && { step, callback };
}

/** True if the SDK marked the step as detached, because no code awaited the step's promise. */
export function isDetached(metadata: Step['metadata']): boolean {
  return (
    typeof metadata === 'object' && metadata !== null && 'detached' in metadata && metadata.detached === true
  );
}
