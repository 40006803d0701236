import { computeExtent } from './analysis/step-extent.ts';
import type { StepNode } from './analysis/step-forest.ts';

/** Clocks read in µs may show a step as ended this much before a step that it waited for. Milliseconds. */
export const CLOCK_TOLERANCE_MS = 0.005;

/**
 * Says whether an error that reached `caller` ended there: the caller did not fail, and was still running. One that had ended by then did not
 * wait for the failed step, as when it hands on a promise without `await`.
 */
export function hasCaught(caller: StepNode, failed: StepNode): boolean {
  return (
    caller.step.error === null &&
    computeExtent(caller).toMs + CLOCK_TOLERANCE_MS >= computeExtent(failed).toMs
  );
}
