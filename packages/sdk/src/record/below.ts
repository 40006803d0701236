import type { ActiveStep } from './active-step.ts';
import { findShownStep } from './call-aggregate.ts';

/** True if `step` is below the step that the trace shows for `ancestor`, at any depth. For a counted call, this is its aggregate's step. */
export function isBelow(step: ActiveStep, ancestor: ActiveStep): boolean {
  const above = findShownStep(ancestor);
  let link = step.parent;
  while (link !== null && link !== above) link = link.parent;
  return link !== null;
}

/** True for the step of an instrumented function that began before its parent ended, and ends after it. Called when the step ends. */
export function isDetached({ parent, site, startMicros }: ActiveStep): boolean {
  if (parent === null || !parent.left || parent.endMicros < startMicros) return false;
  return site !== null && 'kind' in site;
}
