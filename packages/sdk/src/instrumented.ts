import { isInstrumented } from './record/frame.ts';

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
