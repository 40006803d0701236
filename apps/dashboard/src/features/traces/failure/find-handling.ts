import { identifyCall } from '../../../visuals/steps/analysis/call-identity.ts';
import { computeExtent } from '../../../visuals/steps/analysis/step-extent.ts';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { CLOCK_TOLERANCE_MS, hasCaught } from '../../../visuals/steps/has-caught.ts';

/** The step that caught an error so that the request did not fail, and the retry of the failed call, if any. */
export interface Handling {
  /** The step that caught the error. */
  readonly catcher: StepNode;
  /** A later, successful call of the failed function by the step that caught the error. */
  readonly retry: StepNode | undefined;
}

/**
 * Finds the step that caught the error of a step: the nearest caller that did not fail and was still running. A caller that had already
 * ended did not wait for the step, for example if it returned a promise without `await`. Undefined if no such caller was recorded.
 */
export function findHandling(failing: StepNode): Handling | undefined {
  let failed = failing;
  for (let caller = failing.parent; caller !== undefined; caller = caller.parent) {
    if (hasCaught(caller, failed)) return { catcher: caller, retry: findRetry(caller, failed) };
    if (caller.step.error !== null) failed = caller;
  }
  return undefined;
}

function findRetry({ children }: StepNode, failed: StepNode): StepNode | undefined {
  const identity = identifyCall(failed);
  const endMs = computeExtent(failed).toMs;
  return children.find(
    (child) =>
      child.startMs + CLOCK_TOLERANCE_MS >= endMs &&
      child !== failed &&
      !child.onFailingPath &&
      identifyCall(child) === identity,
  );
}
