import { hasFrame } from '../instrumented.ts';
import type { StepType } from '../record/types.ts';
import type { Layer, LayerFunction, Route } from './layer-shape.ts';

/** What a layer's function is to the viewer; found once a layer. */
export interface LayerUse {
  /** Routers, mounted applications and Express's own plumbing are no steps: what they lead to is. */
  readonly transparent: boolean;
  readonly type: StepType;
  readonly name: string;
  readonly fn: LayerFunction;
}

/** The server takes no longer ones. */
const maxName = 1000;

const uses = new WeakMap<Layer, LayerUse>();
/** How many layers of a route's stack were looked at: handlers can be added later. */
const routesSeen = new WeakMap<Route, number>();

/** The use of a layer of a router's stack, or of a route's that {@link lookAtRoute} has seen. `mount` is where the request met it. */
export function layerUse(layer: Layer, mount: string): LayerUse {
  let use = uses.get(layer);
  if (use === undefined || use.fn !== layer.handle) {
    use = describeUse(
      layer.handle,
      'middleware',
      `middleware ${mount === '' ? '/' : mount}`,
      layer.route !== undefined,
    );
    uses.set(layer, use);
  }
  return use;
}

/** In a route's stack the last function for a method is its handler; those before it are middleware. */
export function lookAtRoute(route: Route): void {
  if (routesSeen.get(route) === route.stack.length) return;
  routesSeen.set(route, route.stack.length);
  const last = new Map<string | undefined, Layer>();
  for (const layer of route.stack) if (layer.handle.length < 4) last.set(layer.method, layer);
  const path = typeof route.path === 'string' ? route.path : String(route.path);
  for (const layer of route.stack) {
    const type = last.get(layer.method) === layer ? 'handler' : 'middleware';
    const method = layer.method?.toUpperCase() ?? 'ALL';
    uses.set(layer, describeUse(layer.handle, type, `${method} ${path}`, false));
  }
}

function describeUse(fn: LayerFunction, type: StepType, unnamed: string, leadsOn: boolean): LayerUse {
  const name = typeof fn.name === 'string' ? fn.name : '';
  return {
    transparent: leadsOn || isTransparent(fn, name),
    type,
    name: (name === '' ? unnamed : name).slice(0, maxName),
    fn,
  };
}

/** `query` and `expressInit` are in each Express 4 application; `mounted_app` is how an application is mounted in another. */
const plumbing = new Set(['query', 'expressInit', 'mounted_app']);

function isTransparent(fn: LayerFunction, name: string): boolean {
  return Array.isArray(fn.stack) || (plumbing.has(name) && !hasFrame(fn));
}
