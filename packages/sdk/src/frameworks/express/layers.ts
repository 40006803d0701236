import type { ServerResponse } from 'node:http';
import { findRequestTrace, type RequestTrace } from '../../http/trace/request-trace.ts';
import {
  beginLayer,
  endReturnedLayer,
  endThrownLayer,
  isError,
  type LayerCall,
  leaveLayer,
  type Next,
  wrapNext,
} from '../layer-call.ts';
import type { HandleError, HandleRequest, Layer, LayerPrototype, RoutedRequest } from './layer-shape.ts';
import { replaceNext } from './own-next.ts';
import { describeLayerUse, describeRoute } from './route-layers.ts';
import { enterMount, enterRoute } from './route-template.ts';

const patched = new WeakSet<LayerPrototype>();

/** Patches a router's `Layer` class, so that each layer becomes a step of the request that the router serves. */
export function patchLayers(prototype: LayerPrototype): void {
  if (patched.has(prototype)) return;
  patched.add(prototype);
  const { handleRequest, handleError, handle_request, handle_error } = prototype;
  if (handleRequest) prototype.handleRequest = wrapRequest(handleRequest);
  if (handleError) prototype.handleError = wrapError(handleError);
  if (handle_request) prototype.handle_request = wrapRequest(handle_request);
  if (handle_error) prototype.handle_error = wrapError(handle_error);
}

function wrapRequest(original: HandleRequest): HandleRequest {
  return function handleRequest(this: Layer, req: RoutedRequest, res: ServerResponse, next: Next): unknown {
    const trace = findRequestTrace(req);
    if (trace === undefined || trace.ended) return original.call(this, req, res, next);
    if (trace.recording === null) {
      noteUnrecordedRoute(trace, this, req);
      return original.call(this, req, res, next);
    }
    // A function with more than three parameters is not a request handler: the router skips the layer.
    if (this.handle.length > 3) return original.call(this, req, res, next);
    const running = beginLayer(() => describeCall(trace, this, req));
    if (running === undefined) return original.call(this, req, res, next);
    const passed = wrapNext(running, next);
    replaceNext(req, next, passed);
    try {
      const result = original.call(this, req, res, passed);
      endReturnedLayer(running, result);
      return result;
    } catch (error) {
      endThrownLayer(running, error);
      throw error;
    } finally {
      leaveLayer(running);
    }
  };
}

function wrapError(original: HandleError): HandleError {
  return function handleError(
    this: Layer,
    error: unknown,
    req: RoutedRequest,
    res: ServerResponse,
    next: Next,
  ): unknown {
    const trace = findRequestTrace(req);
    if (trace === undefined || trace.ended) return original.call(this, error, req, res, next);
    if (isError(error)) trace.reportError(error);
    // Without a recording there is no step to open. The router skips layers that are not error handlers, so they need no step.
    if (trace.recording === null || this.handle.length !== 4)
      return original.call(this, error, req, res, next);
    const running = beginLayer(() => describeCall(trace, this, req));
    if (running === undefined) return original.call(this, error, req, res, next);
    const passed = wrapNext(running, next);
    replaceNext(req, next, passed);
    try {
      const result = original.call(this, error, req, res, passed);
      endReturnedLayer(running, result);
      return result;
    } catch (thrown) {
      endThrownLayer(running, thrown);
      throw thrown;
    } finally {
      leaveLayer(running);
    }
  };
}

// The code that calls a layer is duplicated in the two functions above. A shared function would be one more SDK frame, and each SDK frame
// pushes a frame of the host out of the ten that a stack shows.

/**
 * Sets the route of a request without a recording. Below a mount, the template also depends on layers above the route. Without a recording,
 * the SDK does not observe these layers, so the server must guess the template.
 */
function noteUnrecordedRoute(trace: RequestTrace, { route }: Layer, { baseUrl }: RoutedRequest): void {
  if (typeof route?.path === 'string' && !baseUrl) trace.route = route.path;
}

/** Stores the mount or the route that the request enters with this layer, and describes the layer as a step. */
function describeCall(trace: RequestTrace, layer: Layer, req: RoutedRequest): LayerCall | undefined {
  const { recording, mounts } = trace;
  if (recording === null) return undefined;
  const mountsAbove = mounts.length;
  if (layer.route === undefined) {
    enterMount(trace, layer, req);
  } else {
    enterRoute(trace, layer.route.path, req);
    describeRoute(layer.route);
  }
  return {
    trace,
    recording,
    use: describeLayerUse(layer, trace, req),
    manner: 'passing',
    mountsAbove,
  };
}
