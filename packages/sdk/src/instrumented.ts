import { isInstrumented, siteOf } from './record/frame.ts';
import type { StepType } from './record/types.ts';

type AnyFunction = (...args: never[]) => unknown;

const known = new WeakMap<AnyFunction, boolean>();

/** {@link isInstrumented}, asked once a function: the answer is in its source text. */
export function hasFrame(fn: AnyFunction): boolean {
  let has = known.get(fn);
  if (has === undefined) {
    has = isInstrumented(fn);
    known.set(fn, has);
  }
  return has;
}

const marked = new WeakSet<AnyFunction>();

/** From now on the function's frames are steps of this type: a framework has said what the function is to it. */
export function markSite(fn: AnyFunction, type: StepType): void {
  if (marked.has(fn)) return;
  marked.add(fn);
  const site = hasFrame(fn) ? siteOf(fn) : undefined;
  if (site !== undefined) site.role = type;
}
