import type { RequestTrace } from '../../http/trace/request-trace.ts';
import { hasFrame } from '../../record/instrumented.ts';
import { describeLayer, type LayerUse } from '../layer-use.ts';
import type { Layer, LayerFunction, Route, RoutedRequest } from './layer-shape.ts';
import { findMountTemplate } from './route-template.ts';

/** How the step of each layer is shown; determined once per layer. */
const uses = new WeakMap<Layer, LayerUse>();
/** The number of layers read from each route; more handlers can be added later. */
const routesSeen = new WeakMap<Route, number>();

/**
 * Describes a layer of a router's stack, or of a route's stack that {@link describeRoute} has read. The description is used for later
 * requests, too. It therefore contains the template of the path at which the layer is mounted, and not this request's path.
 */
export function describeLayerUse(layer: Layer, trace: RequestTrace, req: RoutedRequest): LayerUse {
  let use = uses.get(layer);
  if (use === undefined || use.fn !== layer.handle) {
    const unnamed = `middleware ${findMountTemplate(trace, req) || '/'}`;
    const leadsOn = layer.route !== undefined || isTransparent(layer.handle);
    use = describeLayer(layer.handle, 'middleware', unnamed, leadsOn);
    uses.set(layer, use);
  }
  return use;
}

/** Describes a route's layers as handler or middleware. For each method, the last function that is not an error handler is the handler. */
export function describeRoute(route: Route): void {
  if (routesSeen.get(route) === route.stack.length) return;
  routesSeen.set(route, route.stack.length);
  const last = new Map<string | undefined, Layer>();
  for (const layer of route.stack) if (layer.handle.length < 4) last.set(layer.method, layer);
  const path = typeof route.path === 'string' ? route.path : String(route.path);
  for (const layer of route.stack) {
    const type = last.get(layer.method) === layer ? 'handler' : 'middleware';
    const method = layer.method?.toUpperCase() ?? 'ALL';
    uses.set(layer, describeLayer(layer.handle, type, `${method} ${path}`, isTransparent(layer.handle)));
  }
}

/**
 * Internal layers of Express: `query` and `expressInit` are in each Express 4 application; `mounted_app` mounts an
 * application in another.
 */
const plumbing = new Set(['query', 'expressInit', 'mounted_app']);

function isTransparent(fn: LayerFunction): boolean {
  return Array.isArray(fn.stack) || (plumbing.has(fn.name) && !hasFrame(fn));
}
