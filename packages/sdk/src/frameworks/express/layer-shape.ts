import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Next } from '../layer-call.ts';

/** The parts of an Express request that the SDK reads. */
export interface RoutedRequest extends IncomingMessage {
  readonly baseUrl?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  next?: unknown;
}

export type HandleRequest = (this: Layer, req: RoutedRequest, res: ServerResponse, next: Next) => unknown;
export type HandleError = (
  this: Layer,
  error: unknown,
  req: RoutedRequest,
  res: ServerResponse,
  next: Next,
) => unknown;

/**
 * An entry of an Express router's stack: a middleware, a route, or (in a route's stack) a handler. Express 4 and 5 have
 * these fields in common.
 */
export interface Layer {
  readonly handle: LayerFunction;
  /** Set if the layer leads to a route, whose own stack contains the handlers. */
  readonly route?: Route | undefined;
  readonly method?: string | undefined;
  /** The path that the layer was mounted with; Express 5.2 and later. */
  readonly rawPath?: unknown;
}

export interface LayerFunction {
  (...args: never[]): unknown;
  readonly name: string;
  readonly length: number;
  /** Set on routers and applications, which are functions with a stack or a handler of their own. */
  readonly stack?: unknown;
  readonly handle?: unknown;
}

export interface Route {
  readonly path: unknown;
  readonly stack: readonly Layer[];
}

/** The methods of a layer's prototype, under their names in Express 5 and in Express 4. */
export interface LayerPrototype {
  handleRequest?: HandleRequest;
  handleError?: HandleError;
  handle_request?: HandleRequest;
  handle_error?: HandleError;
}

/** True if an export is a router's `Layer` class, of Express 4 or 5. */
export function isLayerClass(value: unknown): value is { prototype: LayerPrototype } {
  if (typeof value !== 'function') return false;
  const prototype: unknown = value.prototype;
  if (typeof prototype !== 'object' || prototype === null) return false;
  const has = (name: string) => typeof Reflect.get(prototype, name) === 'function';
  return (
    has('match') &&
    ((has('handleRequest') && has('handleError')) || (has('handle_request') && has('handle_error')))
  );
}
