import { standingFor } from './fold.ts';
import type { OpenStep } from './open-step.ts';

/** Returns true where a step is below another step, at any depth. */
export function isBelow(step: OpenStep, ancestor: OpenStep): boolean {
  const above = standingFor(ancestor);
  let link = step.parent;
  while (link !== null && link !== above) link = link.parent;
  return link !== null;
}
