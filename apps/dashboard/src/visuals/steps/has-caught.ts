import { computeExtent } from './analysis/step-extent.ts';
import type { StepNode } from './analysis/step-forest.ts';

/** Clocks with µs resolution can show a step as ended this much before a step that it awaited. Milliseconds. */
export const CLOCK_TOLERANCE_MS = 0.005;

/**
 * True if an error that reached `caller` ended there: the caller did not fail and was still running. A caller that had already ended did
 * not wait for the failed step, for example if it returned a promise without `await`.
 */
export function hasCaught(caller: StepNode, failed: StepNode): boolean {
  return (
    caller.step.error === null &&
    computeExtent(caller).toMs + CLOCK_TOLERANCE_MS >= computeExtent(failed).toMs
  );
}
