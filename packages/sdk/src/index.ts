import * as api from './api/api.ts';
import { step as runStep } from './api/step.ts';
import { init as start } from './runtime/init.ts';

export type { User } from './api/api.ts';
export type { StepOptions } from './api/step.ts';
export type { CaptureMode, Options } from './config/options.ts';
export type { StepType } from './record/types.ts';

/**
 * A process may hold several copies of this package: two versions in node_modules, one in a bundle. The first one loaded does the work
 * for all of them, so that there is one tracer and a request is recorded once.
 */
const { init, step, annotate, setUser, capture, ignore, pause, resume, flush, shutdown } = firstCopy({
  ...api,
  step: runStep,
  init: start,
});

export { annotate, capture, flush, ignore, init, pause, resume, setUser, shutdown, step };

type Functions = typeof api & { readonly init: typeof start; readonly step: typeof runStep };

function firstCopy(own: Functions): Functions {
  const key = Symbol.for('@throughline/node');
  const first: unknown = Reflect.get(globalThis, key);
  if (isComplete(first, own)) return first;
  Object.defineProperty(globalThis, key, { value: own, configurable: true });
  return own;
}

/** Another version's functions do if they have the names that ours has. */
function isComplete(candidate: unknown, own: Functions): candidate is Functions {
  if (typeof candidate !== 'object' || candidate === null) return false;
  return Object.keys(own).every((name) => typeof Reflect.get(candidate, name) === 'function');
}
