import { findRequestTrace, getCurrentTrace, type RequestTrace } from '../http/trace/request-trace.ts';
import { isObject } from '../internal/is-object.ts';
import { type FrameworkFile, hasMethods, isFunction } from './framework.ts';
import {
  beginLayer,
  endReturnedLayer,
  endThrownLayer,
  type LayerCall,
  leaveLayer,
  wrapOnionNext,
} from './layer-call.ts';
import { describeLayer } from './layer-use.ts';

type AnyFunction = (...args: unknown[]) => unknown;

/** The entry that Hono passes to its router: a function, and how the function was registered. */
interface RouterRoute {
  readonly path: string;
  readonly method: string;
  readonly handler: unknown;
}

/**
 * Hono accepts any object with `add(method, path, handler)` and `match` as its router. The SDK wraps functions in `add`, which receives
 * each function with its route. Each of Hono's own routers is in a file named `router.js`, as an ES module or CommonJS.
 */
export const honoFiles: readonly FrameworkFile[] = [
  {
    packages: ['hono'],
    file: 'router.js',
    couldBe: isObject,
    patch(exported) {
      for (const prototype of listRouters(exported)) patchRouter(prototype);
    },
  },
];

function listRouters(exported: unknown): Record<string, AnyFunction>[] {
  if (!isObject(exported)) return [];
  return Object.values(exported).flatMap((made: unknown) => {
    const prototype: unknown = typeof made === 'function' ? made.prototype : undefined;
    return hasMethods(prototype, ['add', 'match']) ? [prototype] : [];
  });
}

function patchRouter(prototype: Record<string, AnyFunction>): void {
  const { add } = prototype;
  if (add === undefined) return;
  prototype.add = function (this: unknown, ...args: unknown[]): unknown {
    const [method, path, handler, ...rest] = args;
    return add.call(this, method, path, wrapEntry(handler), ...rest);
  };
}

/** All wrappers. Hono's `SmartRouter` passes its entries on to the `add` of another router, which must not wrap them again. */
const ours = new WeakSet<AnyFunction>();

function wrapEntry(entry: unknown): unknown {
  if (!Array.isArray(entry)) return entry;
  const [fn, route]: unknown[] = entry;
  if (!isFunction(fn) || ours.has(fn) || !isRouterRoute(route)) return entry;
  const wrapped = wrapHandler(fn, route);
  ours.add(wrapped);
  return [wrapped, route];
}

function isRouterRoute(value: unknown): value is RouterRoute {
  return (
    isObject(value) &&
    'path' in value &&
    typeof value.path === 'string' &&
    'method' in value &&
    typeof value.method === 'string' &&
    'handler' in value
  );
}

/**
 * If an application with its own error handler is mounted in another application, Hono wraps each function of the mounted application.
 * This property of Hono's wrapper contains the wrapped function.
 */
const wrappedName = '__COMPOSED_HANDLER';

function wrapHandler(fn: AnyFunction, { path, method }: RouterRoute): AnyFunction {
  const wrapped: unknown = Reflect.get(fn, wrappedName);
  const own = isFunction(wrapped) ? wrapped : fn;
  // Hono's own rule: a function with a `next` parameter is middleware.
  const isHandler = own.length < 2 && method !== 'ALL';
  const unnamed = isHandler ? `${method} ${path}` : `middleware ${path}`;
  const use = describeLayer(own, isHandler ? 'handler' : 'middleware', unnamed);
  const find = (context: unknown): LayerCall | undefined => {
    const trace = findTrace(context);
    if (trace === undefined || trace.ended) return undefined;
    if (isHandler) trace.route = path;
    const { recording } = trace;
    return recording === null ? undefined : { trace, recording, use, manner: 'returning' };
  };
  return function (this: unknown, context: unknown, next: unknown): unknown {
    const running = beginLayer(() => find(context));
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
}

/**
 * Finds the trace by Node's request, which Hono's server for Node puts into the context's `env`. Without Node's request, returns the trace
 * of the running code.
 */
function findTrace(context: unknown): RequestTrace | undefined {
  const env = isObject(context) && 'env' in context ? context.env : undefined;
  const incoming = isObject(env) && 'incoming' in env ? env.incoming : undefined;
  return isObject(incoming) ? findRequestTrace(incoming) : getCurrentTrace();
}
