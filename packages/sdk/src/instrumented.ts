import { findSites, isInstrumented } from './record/frame.ts';
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

/** From now on the frames of a method are steps of this type: a framework has said what it is to it. `name` is its class's name and its own. */
export function markSite(fn: AnyFunction, name: string, type: StepType): void {
  if (marked.has(fn)) return;
  marked.add(fn);
  if (hasFrame(fn)) for (const site of findSites(fn, name)) site.role = type;
}
