import type { ActiveStep } from './active-step.ts';
import { findShownStep } from './call-aggregate.ts';

/** True if `step` is below `ancestor` at any depth. If `ancestor` is a counted call, the step of its aggregate is used instead. */
export function isBelow(step: ActiveStep, ancestor: ActiveStep): boolean {
  const above = findShownStep(ancestor);
  let link = step.parent;
  while (link !== null && link !== above) link = link.parent;
  return link !== null;
}

/** True if the step of an instrumented function began before its parent ended, and outlives the parent. Called when the step ends. */
export function isDetached({ parent, site, startMicros }: ActiveStep): boolean {
  if (parent === null || !parent.left || parent.endMicros < startMicros) return false;
  return site !== null && 'kind' in site;
}
