import type { Step } from '@throughline/contract';
import { CallFlow } from './call-flow.ts';

/** Maximum number of steps of a request in which values are followed back. With more steps, following values would take too long. */
export const MAX_TRACED_STEPS = 2000;
/**
 * Maximum number of calls that are chosen from each end of the chain of callers of the function that threw. The chain of a recursion can
 * have thousands of calls.
 */
const MAX_CALLERS = 100;

/**
 * Chooses the steps in which values are followed back, in start order. Returns all steps if there are at most {@link MAX_TRACED_STEPS}.
 * Otherwise returns the function that threw, its callers, the request's first steps, and the steps just before the error; an empty list if
 * no function threw.
 */
export function chooseTracedSteps(steps: readonly Step[]): readonly Step[] {
  if (steps.length <= MAX_TRACED_STEPS) return steps;
  const flow = new CallFlow(steps);
  const thrower = flow.findThrower();
  if (thrower === undefined) return [];
  const chain = flow.listChain(thrower);
  const chosen = new Set([...chain.slice(0, MAX_CALLERS), ...chain.slice(-MAX_CALLERS)]);
  const perSide = Math.floor((MAX_TRACED_STEPS - chosen.size) / 2);
  const end = steps.indexOf(thrower);
  for (const step of steps.slice(0, perSide)) chosen.add(step);
  for (const step of steps.slice(Math.max(0, end - perSide), end)) chosen.add(step);
  return steps.filter((step) => chosen.has(step));
}
