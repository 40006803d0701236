import { findRequestTrace, getCurrentTrace, type RequestTrace } from '../http/trace/request-trace.ts';
import { isObject } from '../internal/is-object.ts';
import { type FrameworkFile, hasMethods, isFunction, makeAlike } from './framework.ts';
import { beginLayer, endReturnedLayer, endThrownLayer, type LayerCall, leaveLayer } from './layer-call.ts';
import { describeLayer, type LayerUse } from './layer-use.ts';

type AnyFunction = (...args: unknown[]) => unknown;

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

/**
 * Patches `execute` of Hapi's toolkit, which runs every function of a request. A function is wrapped only for its call, so routes and
 * extensions keep the host's functions.
 */
function patchServer(server: object): void {
  const core: unknown = Reflect.get(server, '_core');
  const toolkit = isObject(core) && 'toolkit' in core ? core.toolkit : undefined;
  const prototype: unknown = isObject(toolkit) ? Object.getPrototypeOf(toolkit) : undefined;
  if (!hasMethods(prototype, ['execute']) || prototypes.has(prototype)) return;
  prototypes.add(prototype);
  const { execute } = prototype;
  if (execute === undefined) return;
  prototype.execute = makeAlike(execute, function (this: unknown, ...args: unknown[]): unknown {
    const [method, request, options] = args;
    if (isFunction(method) && findTrace(request)?.ended === false) {
      const place = isObject(options) && 'name' in options ? options.name : undefined;
      args[0] = wrapServerMethod(method, typeof place === 'string' ? place : undefined);
    }
    return execute.apply(this, args);
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

/** The method of Hapi's own routes, which respond if none of the host's routes matches. */
const OWN_ROUTES = '_SPECIAL';

/** Describes a function call as a layer. The manner is `returning`, because Hapi awaits each function's result immediately. */
function describeCall(
  method: AnyFunction,
  place: string | undefined,
  request: unknown,
): LayerCall | undefined {
  const trace = findTrace(request);
  if (trace === undefined || trace.ended) return undefined;
  const route = place === undefined ? readRoute(request) : undefined;
  const isHandler = route?.handler === method;
  if (isHandler && route.method === OWN_ROUTES) return undefined;
  if (isHandler) trace.route = route.path;
  const { recording } = trace;
  if (recording === null) return undefined;
  return {
    trace,
    recording,
    use: describeMethod(method, place, isHandler ? route : undefined),
    manner: 'returning',
  };
}

function describeMethod(
  method: AnyFunction,
  place: string | undefined,
  handled: Route | undefined,
): LayerUse {
  if (handled !== undefined) return describeLayer(method, 'handler', `${handled.method} ${handled.path}`);
  return describeLayer(method, 'middleware', place === undefined ? 'prerequisite' : `${place} extension`);
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly handler: unknown;
}

function readRoute(request: unknown): Route | undefined {
  const route = isObject(request) && 'route' in request ? request.route : undefined;
  if (!isObject(route) || !('settings' in route) || !isObject(route.settings)) return undefined;
  const { settings } = route;
  return {
    method: 'method' in route ? String(route.method).toUpperCase() : 'ALL',
    path: 'path' in route ? String(route.path) : '',
    handler: 'handler' in settings ? settings.handler : undefined,
  };
}

function findTrace(request: unknown): RequestTrace | undefined {
  const raw = isObject(request) && 'raw' in request ? request.raw : undefined;
  const req = isObject(raw) && 'req' in raw ? raw.req : undefined;
  return isObject(req) ? findRequestTrace(req) : getCurrentTrace();
}
