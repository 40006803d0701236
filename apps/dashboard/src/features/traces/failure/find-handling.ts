import { identifyCall } from '../../../visuals/steps/analysis/call-identity.ts';
import { computeExtent } from '../../../visuals/steps/analysis/step-extent.ts';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { CLOCK_TOLERANCE_MS, hasCaught } from '../../../visuals/steps/has-caught.ts';

/** The end of a failure that did not reach the request. */
export interface Handling {
  /** The step that caught the error. */
  readonly catcher: StepNode;
  /** A later call of the same function by that step, which succeeded. */
  readonly retry: StepNode | undefined;
}

/**
 * Finds where the error of a step was caught: in the nearest caller that did not fail and was still running. A caller that had ended by then did
 * not wait for the step, as when it hands on a promise without `await`. Undefined where no such caller was recorded.
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
