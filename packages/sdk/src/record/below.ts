import { isCallbackName } from '../internal/callback-name.ts';
import type { ActiveStep } from './active-step.ts';
import { findShownStep } from './call-aggregate.ts';

/** True if `step` is below `ancestor` at any depth. If `ancestor` is a counted call, the step of its aggregate is used instead. */
export function isBelow(step: ActiveStep, ancestor: ActiveStep): boolean {
  const above = findShownStep(ancestor);
  let link = step.parent;
  while (link !== null && link !== above) link = link.parent;
  return link !== null;
}

/**
 * Finds the parent of a function that was created in `creator` and is called with an empty stack, in the async context of `here`. The
 * context can be that of another call, because queues and connections call functions in the context in which they were started. So the
 * parent is `creator` if its work is in progress, otherwise `here` if it is in progress. If neither is, the parent is `here` if `creator`
 * cannot have passed the function to work that `here` had already started.
 */
export function findCause(here: ActiveStep, creator: ActiveStep): ActiveStep {
  const called = findShownStep(here);
  const made = findShownStep(creator);
  const common = findCommon(called, made);
  if (common === made) return here;
  // A counted call without a context of its own started its work in the context of its caller.
  if (common === called && creator.carried === null) return creator;
  if (isInProgress(made, common)) return creator;
  // The source of `here` usually contains a callback without a name, such as that of `new Promise`. Its functions stay below it, as in the
  // source.
  if (made.parent === called && made.site !== null && isCallbackName(made.site.name)) return creator;
  return called.endMicros < 0 || made.endMicros <= called.startMicros || creator.returnedFunction
    ? here
    : creator;
}

/**
 * Finds the nearest common ancestor of two steps. A step counts as its own ancestor. Each pointer walks up from both steps, one after the
 * other, so both pointers reach the common ancestor after the same number of moves.
 */
function findCommon(one: ActiveStep, other: ActiveStep): ActiveStep | null {
  let first: ActiveStep | null = one;
  let second: ActiveStep | null = other;
  while (first !== second) {
    first = first === null ? other : first.parent;
    second = second === null ? one : second.parent;
  }
  return first;
}

/**
 * True if `step` has not ended, or if a step between `step` and `end` has not ended and can wait for the work of `step`. A caller can wait
 * for the work of a synchronous function that returned no promise, for example until the work calls a callback.
 */
function isInProgress(step: ActiveStep, end: ActiveStep | null): boolean {
  let link: ActiveStep | null = step;
  while (link !== null && link !== end) {
    if (link.endMicros < 0) return true;
    const { site, returnedMicros } = link;
    if (site === null || !('kind' in site) || site.kind !== 'sync' || returnedMicros >= 0) return false;
    link = link.parent;
  }
  return false;
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
