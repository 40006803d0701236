import { hasFrame } from '../instrumented.ts';
import { saysNothing } from '../record/capture/adopted-name.ts';
import type { StepType } from '../record/types.ts';

/** The server takes no longer names. */
const maxName = 1000;

type AnyFunction = (...args: never[]) => unknown;

/** How the viewer shows a layer's function. */
export interface LayerUse {
  /** Routers, mounted applications and a framework's own plumbing are no steps: what they lead to is. */
  readonly transparent: boolean;
  readonly type: StepType;
  readonly name: string;
  /** True if the function has a name of its own. */
  readonly named: boolean;
  readonly fn: AnyFunction;
}

/** A function's own name, or `unnamed` where it has none. */
export function describeLayer(
  fn: AnyFunction,
  type: StepType,
  unnamed: string,
  transparent = false,
): LayerUse {
  const own = typeof fn.name === 'string' ? fn.name.replace(/^bound /, '') : '';
  const named = !saysNothing(own);
  return { transparent, type, name: (named ? own : unnamed).slice(0, maxName), named, fn };
}

/** Functions of frameworks around functions of the host's that show for themselves. The first two are Fastify's. */
const plumbing = new Set(['headRouteOnSendHandler', 'runMiddie']);
let unnamedIsPlumbing = false;

export function markPlumbing(name: string): void {
  plumbing.add(name);
}

/** A framework on top of another one has registered unnamed functions of its own there, which cannot be told from a library's. */
export function leaveOutUnnamed(): void {
  unnamedIsPlumbing = true;
}

/** True if a layer gets no step. Checked at each call, since a function may turn out later to be the framework's. */
export function isPlumbing({ transparent, fn, name, named }: LayerUse): boolean {
  if (transparent) return true;
  return (plumbing.has(name) || (unnamedIsPlumbing && !named)) && !hasFrame(fn);
}
