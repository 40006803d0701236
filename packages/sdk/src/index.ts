import * as api from './api/api.ts';
import { step as runStep } from './api/step.ts';
import { init as start } from './runtime/init.ts';

export type { User } from './api/api.ts';
export type { StepOptions } from './api/step.ts';
export type { CaptureMode, Options } from './config/options.ts';
export type { StepType } from './record/types.ts';

/**
 * A process can contain several copies of this package, such as two versions in node_modules and one in a bundle. All copies export the
 * functions of the copy that was loaded first, so that there is one tracer and each request is recorded once. A first copy that lacks one
 * of the functions, because it is older, is not used.
 */
const { init, step, annotate, setUser, capture, ignore, pause, resume, flush, shutdown } = useFirstCopy({
  ...api,
  step: runStep,
  init: start,
});

export { annotate, capture, flush, ignore, init, pause, resume, setUser, shutdown, step };

type Functions = typeof api & { readonly init: typeof start; readonly step: typeof runStep };

function useFirstCopy(own: Functions): Functions {
  const key = Symbol.for('@throughline/node');
  const first: unknown = Reflect.get(globalThis, key);
  if (isComplete(first, own)) return first;
  Object.defineProperty(globalThis, key, { value: own, configurable: true });
  return own;
}

/** True if the functions of another copy include all names of this copy. The other copy can have another version. */
function isComplete(candidate: unknown, own: Functions): candidate is Functions {
  if (typeof candidate !== 'object' || candidate === null) return false;
  return Object.keys(own).every((name) => typeof Reflect.get(candidate, name) === 'function');
}
