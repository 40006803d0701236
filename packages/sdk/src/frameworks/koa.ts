import { findRequestTrace, type RequestTrace } from '../http/trace/request-trace.ts';
import { isObject } from '../internal/is-object.ts';
import { type FrameworkFile, isFunction } from './framework.ts';
import {
  beginLayer,
  endReturnedLayer,
  endThrownLayer,
  type LayerCall,
  leaveLayer,
  observePromise,
  wrapOnionNext,
} from './layer-call.ts';
import { describeLayer, type LayerUse } from './layer-use.ts';

type Middleware = (...args: unknown[]) => unknown;
type Compose = (middleware: unknown) => unknown;

/** The parts of Koa's context that the SDK reads. Koa's router adds the last two properties. */
interface KoaContext {
  readonly req: object;
  readonly method?: unknown;
  readonly _matchedRoute?: unknown;
  readonly matched?: unknown;
}

/**
 * Koa, its routers and other code that mounts middleware call koa-compose, which has been a single function since 2014: it turns a list of
 * middleware into one middleware. The SDK passes a list of wrapped functions to koa-compose; the host's own lists stay unchanged.
 */
export const koaFiles: readonly FrameworkFile[] = [
  {
    packages: ['koa-compose'],
    file: 'index.js',
    couldBe: (exported) => isFunction(exported) && exported.name === 'compose' && exported.length === 1,
    patch: (exported) => (isFunction(exported) ? wrapCompose(exported) : undefined),
  },
];

function wrapCompose(compose: Compose): Compose {
  return Object.assign(function composeWrapped(middleware: unknown): unknown {
    const composed = compose(wrapList(middleware));
    return isFunction(composed) ? wrapComposed(composed) : composed;
  }, compose);
}

/**
 * Wraps the middleware that koa-compose made of a list, in order to report errors that no middleware caught. Only Koa itself calls such
 * middleware without a `next`. Koa handles the rejection of the promise, so observing the promise hides no unhandled rejection.
 */
function wrapComposed(composed: Middleware): Middleware {
  return (context, next) => {
    const trace = isContext(context) ? findRequestTrace(context.req) : undefined;
    if (trace === undefined || trace.inFramework || next !== undefined) return composed(context, next);
    trace.inFramework = true;
    const result = composed(context, next);
    observePromise(result, undefined, (error) => reportUncaught(trace, error));
    return result;
  };
}

/**
 * Reports an uncaught error. `untilAnswered` contains the steps of layers that returned no promise before the response was written. If the
 * last of these steps is still open, the error is also shown on that step.
 */
function reportUncaught(trace: RequestTrace, error: unknown): void {
  const { recording } = trace;
  const step = trace.untilAnswered.at(-1);
  if (recording !== null && step !== undefined && step.endMicros < 0) recording.fail(step, error);
  trace.reportError(error);
}

function wrapList(middleware: unknown): unknown {
  if (Array.isArray(middleware)) return middleware.map(wrapList);
  return isFunction(middleware) ? wrapMiddleware(middleware) : middleware;
}

/** The wrapper of each function. Stored, because routers compose their middleware again for each request. */
const wrappedMiddleware = new WeakMap<Middleware, Middleware>();
const ours = new WeakSet<Middleware>();

function wrapMiddleware(fn: Middleware): Middleware {
  if (ours.has(fn)) return fn;
  let wrapped = wrappedMiddleware.get(fn);
  if (wrapped === undefined) {
    wrapped = function (this: unknown, context, next) {
      const running = beginLayer(() => describeCall(fn, context, next));
      if (running === undefined) return fn.call(this, context, next);
      try {
        const result = fn.call(this, context, wrapOnionNext(running, next));
        endReturnedLayer(running, result);
        return result;
      } catch (error) {
        endThrownLayer(running, error);
        throw error;
      } finally {
        leaveLayer(running);
      }
    };
    wrappedMiddleware.set(fn, wrapped);
    ours.add(wrapped);
  }
  return wrapped;
}

function describeCall(fn: Middleware, context: unknown, next: unknown): LayerCall | undefined {
  if (!isContext(context)) return undefined;
  const trace = findRequestTrace(context.req);
  if (trace === undefined || trace.ended) return undefined;
  const routes = listRoutes(context);
  const route = routes.findLast(({ stack }) => stack.includes(fn));
  // In koa-router 7, `_matchedRoute` is the last matching route, even if an earlier route responds.
  const path = route === undefined || route.methods.length === 0 ? context._matchedRoute : route.path;
  if (typeof path === 'string') trace.route = path;
  const { recording } = trace;
  if (recording === null || !isFunction(next)) return undefined;
  return { trace, recording, use: findUse(fn, context, routes, route), manner: 'onion' };
}

function isContext(context: unknown): context is KoaContext {
  return isObject(context) && 'req' in context && isObject(context.req);
}

/**
 * A route with at least this number of methods was made by `router.all`, which handles all of Node's methods. No host lists this many
 * methods itself.
 */
const MIN_ALL_METHODS = 10;

/**
 * Describes a middleware. The last function of a route is its handler. If a `router.all` matches before another route, the last function of
 * `router.all` is middleware, because it leads to the other route. The router's own functions belong to no route and get no steps.
 */
function findUse(
  fn: Middleware,
  context: KoaContext,
  routes: readonly Route[],
  route: Route | undefined,
): LayerUse {
  if ('router' in fn) return describeLayer(fn, 'middleware', 'router', true);
  if (route === undefined) {
    const isRouters = routes.length > 0 && fn.name === '';
    return describeLayer(fn, 'middleware', 'middleware', isRouters);
  }
  const leadsOn = route.methods.length >= MIN_ALL_METHODS && hasRouteBehind(routes, route, context.method);
  const isHandler = route.methods.length > 0 && route.stack.at(-1) === fn && !leadsOn;
  const unnamed = isHandler ? `${String(context.method)} ${route.path}` : `middleware ${route.path}`;
  return describeLayer(fn, isHandler ? 'handler' : 'middleware', unnamed);
}

function hasRouteBehind(routes: readonly Route[], route: Route, method: unknown): boolean {
  return routes.indexOf(route) < routes.findLastIndex(({ methods }) => methods.includes(method));
}

interface Route {
  readonly path: string;
  readonly methods: readonly unknown[];
  readonly stack: readonly unknown[];
}

function listRoutes({ matched }: KoaContext): Route[] {
  return Array.isArray(matched) ? matched.filter(isRoute) : [];
}

function isRoute(route: unknown): route is Route {
  return (
    isObject(route) &&
    'path' in route &&
    typeof route.path === 'string' &&
    'methods' in route &&
    Array.isArray(route.methods) &&
    'stack' in route &&
    Array.isArray(route.stack)
  );
}
