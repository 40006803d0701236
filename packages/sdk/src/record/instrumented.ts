import { findSites, isInstrumented } from './frame.ts';
import type { StepType } from './types.ts';

type AnyFunction = (...args: never[]) => unknown;

const known = new WeakMap<AnyFunction, boolean>();

/** Returns the same as {@link isInstrumented}. The result is cached per function, because the check searches the function's source. */
export function hasFrame(fn: AnyFunction): boolean {
  let has = known.get(fn);
  if (has === undefined) {
    has = isInstrumented(fn);
    known.set(fn, has);
  }
  return has;
}

const marked = new WeakSet<AnyFunction>();

/**
 * Sets the step type of the method's later frames. Called when a framework declares the role of the method. `name` is `Class.method`.
 */
export function markSite(fn: AnyFunction, name: string, type: StepType): void {
  if (marked.has(fn)) return;
  marked.add(fn);
  if (hasFrame(fn)) for (const site of findSites(fn, name)) site.role = type;
}
