import { standingFor } from './fold.ts';
import type { OpenStep } from './open-step.ts';

/** Whether a step stands below another, at any depth. */
export function isBelow(step: OpenStep, ancestor: OpenStep): boolean {
  const above = standingFor(ancestor);
  let link = step.parent;
  while (link !== null && link !== above) link = link.parent;
  return link !== null;
}
