import type { ActiveStep } from './active-step.ts';
import { findShownStep } from './call-aggregate.ts';

/** True if `step` is below `ancestor`, at any depth. */
export function isBelow(step: ActiveStep, ancestor: ActiveStep): boolean {
  const above = findShownStep(ancestor);
  let link = step.parent;
  while (link !== null && link !== above) link = link.parent;
  return link !== null;
}
