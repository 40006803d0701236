import { isObject } from '../../internal/is-object.ts';
import { type FrameworkFile, getPrototype, hasMethods, isFunction, makeAlike } from '../framework.ts';
import { beginLayer, endReturnedLayer, endThrownLayer, type LayerCall, leaveLayer } from '../layer-call.ts';
import { describeLayer, type LayerUse } from '../layer-use.ts';
import { findHapiTrace, type HapiRoute, isOwnRoute, readHapiRoute } from './hapi-request.ts';
import { noteDetails, patchHapiRequests } from './responses.ts';

type AnyFunction = (...args: unknown[]) => unknown;
type Prototype = Record<string, AnyFunction>;

/** Hapi's `server()` function. All of Hapi's servers share one toolkit class. */
export const hapiFiles: readonly FrameworkFile[] = [
  {
    packages: ['@hapi/hapi'],
    file: 'server.js',
    couldBe: isFunction,
    patch: (exported) => (isFunction(exported) ? wrapFactory(exported) : undefined),
  },
];

function wrapFactory(factory: AnyFunction): AnyFunction {
  return makeAlike(
    factory,
    // Callers use the factory with and without `new`.
    Object.assign(function (this: unknown, ...args: unknown[]): unknown {
      const server = factory.apply(this, args);
      if (isObject(server)) patchServer(server);
      return server;
    }, factory),
  );
}

const prototypes = new WeakSet<object>();

/** Patches the classes that all requests of a server share. */
function patchServer(server: object): void {
  const core: unknown = Reflect.get(server, '_core');
  const toolkit = isObject(core) && 'toolkit' in core ? core.toolkit : undefined;
  const prototype: unknown = isObject(toolkit) ? Object.getPrototypeOf(toolkit) : undefined;
  if (hasMethods(prototype, ['execute', 'failAction'])) patchOnce(prototype, patchToolkit);
  const requests = getPrototype(core, 'Request', ['active', '_lookup', '_setResponse']);
  if (requests !== undefined) patchOnce(requests, patchHapiRequests);
}

function patchOnce(prototype: Prototype, patch: (prototype: Prototype) => void): void {
  if (prototypes.has(prototype)) return;
  prototypes.add(prototype);
  patch(prototype);
}

/**
 * Patches `execute` of Hapi's toolkit, which runs every function of a request. A function is wrapped only for its call, so routes and
 * extensions keep the host's functions.
 */
function patchToolkit(prototype: Prototype): void {
  const { execute, failAction } = prototype;
  if (execute === undefined || failAction === undefined) return;
  prototype.execute = makeAlike(execute, function (this: unknown, ...args: unknown[]): unknown {
    const [method, request, options] = args;
    const trace = findHapiTrace(request);
    if (isFunction(method) && trace?.ended === false && trace.recording !== null) {
      const place = isObject(options) && 'name' in options ? options.name : undefined;
      args[0] = wrapServerMethod(method, typeof place === 'string' ? place : undefined);
    }
    return execute.apply(this, args);
  });
  prototype.failAction = makeAlike(failAction, function (this: unknown, ...args: unknown[]): unknown {
    const [, , error, options] = args;
    if (isObject(options) && 'details' in options) noteDetails(error, options.details);
    return failAction.apply(this, args);
  });
}

/** Wrapped functions, by the host's function. `place` is the extension point at which the function runs. */
const wrappedMethods = new WeakMap<
  AnyFunction,
  { readonly place: string | undefined; readonly fn: AnyFunction }
>();

function wrapServerMethod(method: AnyFunction, place: string | undefined): AnyFunction {
  const known = wrappedMethods.get(method);
  if (known !== undefined && known.place === place) return known.fn;
  const fn = makeAlike(method, function (this: unknown, ...args: unknown[]): unknown {
    const running = beginLayer(() => describeCall(method, place, args[0]));
    if (running === undefined) return method.apply(this, args);
    try {
      const result = method.apply(this, args);
      running.trace.lastReturned = running.step === null ? null : { step: running.step, result };
      endReturnedLayer(running, result);
      return result;
    } catch (error) {
      endThrownLayer(running, error);
      throw error;
    } finally {
      leaveLayer(running);
    }
  });
  wrappedMethods.set(method, { place, fn });
  return fn;
}

/** Describes a function call as a layer. The manner is `returning`, because Hapi awaits each function's result immediately. */
function describeCall(
  method: AnyFunction,
  place: string | undefined,
  request: unknown,
): LayerCall | undefined {
  const trace = findHapiTrace(request);
  if (trace === undefined || trace.ended || trace.recording === null) return undefined;
  const route = place === undefined ? readHapiRoute(request) : undefined;
  const isHandler = route?.settings.handler === method;
  if (isHandler && isOwnRoute(route)) return undefined;
  const use = describeMethod(method, place, isHandler ? route : undefined);
  return { trace, recording: trace.recording, use, manner: 'returning' };
}

function describeMethod(
  method: AnyFunction,
  place: string | undefined,
  handled: HapiRoute | undefined,
): LayerUse {
  if (handled !== undefined)
    return describeLayer(method, 'handler', `${String(handled.method).toUpperCase()} ${handled.path}`);
  return describeLayer(method, 'middleware', place === undefined ? 'prerequisite' : `${place} extension`);
}
