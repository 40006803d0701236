import type { ActiveStep } from './active-step.ts';
import { findShownStep } from './call-aggregate.ts';

/** True if `step` is below `ancestor` at any depth. If `ancestor` is a counted call, the step of its aggregate is used instead. */
export function isBelow(step: ActiveStep, ancestor: ActiveStep): boolean {
  const above = findShownStep(ancestor);
  let link = step.parent;
  while (link !== null && link !== above) link = link.parent;
  return link !== null;
}

/** True if a function's step began before its parent ended, and ends at `atMicros`, after the parent's function has ended. */
export function isDetached({ parent, site, startMicros }: ActiveStep, atMicros: number): boolean {
  return parent?.left === true && isFunctionSite(site) && isBetween(parent.endMicros, startMicros, atMicros);
}

/**
 * Like {@link isDetached}, but called when all steps have ended: the end of `parent` can become known later than the step's end. Returns
 * false if `parent` adopted a frame: such a step, for example a middleware's, can end before its function.
 */
export function hasOutlived(step: ActiveStep, parent: ActiveStep): boolean {
  if (parent.adopted || step.unfinished || !isFunctionSite(step.site)) return false;
  return isBetween(parent.endMicros, step.startMicros, step.endMicros);
}

/** True for the site of an instrumented function. A framework's layer or a library's call has no site, or one without `kind`. */
export function isFunctionSite(site: ActiveStep['site']): boolean {
  return site !== null && 'kind' in site;
}

function isBetween(micros: number, startMicros: number, endMicros: number): boolean {
  return startMicros <= micros && micros < endMicros;
}
