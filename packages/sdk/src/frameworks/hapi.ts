import { currentTrace, findRequestTrace, type RequestTrace } from '../http/trace/request-trace.ts';
import { type FrameworkFile, hasMethods, isFunction, isObject, lookingLike } from './framework.ts';
import { callLayer, type LayerCall } from './layer-call.ts';
import { describeLayer, type LayerUse } from './layer-use.ts';

type AnyFunction = (...args: unknown[]) => unknown;

/** Hapi's `server()`, whose servers say of each route when it is added, and take extensions through `ext`. */
export const hapiFiles: readonly FrameworkFile[] = [
  {
    packages: ['@hapi/hapi'],
    file: 'server.js',
    couldBe: isFunction,
    watch: (exported) => (isFunction(exported) ? watchFactory(exported) : undefined),
  },
];

function watchFactory(factory: AnyFunction): AnyFunction {
  return lookingLike(
    factory,
    // Called with and without `new`.
    Object.assign(function (this: unknown, ...args: unknown[]): unknown {
      const server = factory.apply(this, args);
      if (hasMethods(server, ['ext', 'route'])) watchServer(server);
      return server;
    }, factory),
  );
}

const watched = new WeakSet<object>();

function watchServer(server: Record<string, AnyFunction>): void {
  const events: unknown = Reflect.get(server, 'events');
  // Published by Hapi for each route, of plugins too: https://hapi.dev/api#server.events.route
  if (hasMethods(events, ['on'])) events.on?.('route', watchRoute);
  // The servers that plugins get are other objects of the same class.
  const prototype: unknown = Object.getPrototypeOf(server);
  if (!hasMethods(prototype, ['ext']) || watched.has(prototype)) return;
  watched.add(prototype);
  const { ext } = prototype;
  if (ext === undefined) return;
  prototype.ext = lookingLike(
    ext,
    function (this: unknown, first: unknown, method: unknown, ...rest: unknown[]) {
      if (typeof first === 'string') return ext.call(this, first, watchedMethods(first, method), ...rest);
      return ext.call(
        this,
        Array.isArray(first) ? first.map(watchedEvent) : watchedEvent(first),
        method,
        ...rest,
      );
    },
  );
}

function watchedEvent(event: unknown): unknown {
  if (!isObject(event) || !('type' in event) || !('method' in event)) return event;
  return { ...event, method: watchedMethods(String(event.type), event.method) };
}

/** Where in a request's life its extensions run; the others are of a server's. */
const requestTypes = new Set([
  'onRequest',
  'onPreAuth',
  'onCredentials',
  'onPostAuth',
  'onPreHandler',
  'onPostHandler',
  'onPreResponse',
  'onPostResponse',
]);

function watchedMethods(type: string, method: unknown): unknown {
  if (!requestTypes.has(type)) return method;
  if (Array.isArray(method)) return method.map((one) => watchedMethods(type, one));
  return isFunction(method)
    ? watchedMethod(method, describeLayer(method, 'middleware', `${type} extension`))
    : method;
}

function watchRoute(route: unknown): void {
  if (!isObject(route) || !('settings' in route)) return;
  const { settings } = route;
  if (!isObject(settings) || !('handler' in settings)) return;
  const { handler } = settings;
  if (!isFunction(handler)) return;
  const method = 'method' in route ? String(route.method).toUpperCase() : 'ALL';
  const path = 'path' in route && typeof route.path === 'string' ? route.path : undefined;
  const use = describeLayer(handler, 'handler', `${method} ${path}`);
  Reflect.set(settings, 'handler', watchedMethod(handler, use, path));
}

/** Hapi awaits at once what its functions return. */
function watchedMethod(method: AnyFunction, use: LayerUse, route?: string): AnyFunction {
  const find = (request: unknown): LayerCall | undefined => {
    const trace = findTrace(request);
    if (trace === undefined || trace.ended) return undefined;
    if (route !== undefined) trace.route = route;
    const { recording } = trace;
    return recording === null ? undefined : { trace, recording, use, manner: 'returning' };
  };
  return lookingLike(method, function (this: unknown, ...args: unknown[]): unknown {
    return callLayer(
      () => find(args[0]),
      () => method.apply(this, args),
    );
  });
}

function findTrace(request: unknown): RequestTrace | undefined {
  const raw = isObject(request) && 'raw' in request ? request.raw : undefined;
  const req = isObject(raw) && 'req' in raw ? raw.req : undefined;
  return isObject(req) ? findRequestTrace(req) : currentTrace();
}
