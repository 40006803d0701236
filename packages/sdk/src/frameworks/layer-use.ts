import { maxName } from '../internal/name-length.ts';
import { isGenericName } from '../record/capture/adopted-name.ts';
import { hasFrame } from '../record/instrumented.ts';
import type { StepType } from '../record/types.ts';

type AnyFunction = (...args: never[]) => unknown;

/** How the step of a layer is shown. */
export interface LayerUse {
  /** True for routers, mounted applications and a framework's internal layers: these get no steps, but the layers below them do. */
  readonly transparent: boolean;
  readonly type: StepType;
  readonly name: string;
  /** True if `name` is the function's own name. */
  readonly named: boolean;
  readonly fn: AnyFunction;
}

/** Describes a layer by its function's own name, or by `unnamed` if the function has no name or a generic one. */
export function describeLayer(
  fn: AnyFunction,
  type: StepType,
  unnamed: string,
  transparent = false,
): LayerUse {
  const own = typeof fn.name === 'string' ? fn.name.replace(/^bound /, '') : '';
  const named = !isGenericName(own);
  return { transparent, type, name: (named ? own : unnamed).slice(0, maxName), named, fn };
}

/**
 * Names of framework functions that get no steps, because the host's functions that they wrap get steps. These two are Fastify's;
 * `markPlumbing` adds others.
 */
const plumbing = new Set(['headRouteOnSendHandler', 'runMiddie']);
let unnamedIsPlumbing = false;

export function markPlumbing(name: string): void {
  plumbing.add(name);
}

/**
 * From now on, unnamed functions get no steps. Called for Nest, which registers its own unnamed functions with Express or Fastify, where
 * they look like a library's functions.
 */
export function leaveOutUnnamed(): void {
  unnamedIsPlumbing = true;
}

/** True if a layer gets no step. Checked at each call, because `markPlumbing` and `leaveOutUnnamed` can be called later. */
export function isPlumbing({ transparent, fn, name, named }: LayerUse): boolean {
  if (transparent) return true;
  return (plumbing.has(name) || (unnamedIsPlumbing && !named)) && !hasFrame(fn);
}
