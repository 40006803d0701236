import type { Step } from '@throughline/contract';

/** Makes a function compute its result once per step, since many calls are compared with the same other calls. */
export function oncePerStep<Result>(read: (step: Step) => Result): (step: Step) => Result {
  const results = new WeakMap<Step, { readonly result: Result }>();
  return (step) => {
    const known = results.get(step) ?? { result: read(step) };
    results.set(step, known);
    return known.result;
  };
}
