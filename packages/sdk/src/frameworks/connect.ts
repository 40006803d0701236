import { findRequestTrace } from '../http/trace/request-trace.ts';
import { isObject } from '../internal/is-object.ts';
import { type FrameworkFile, hasMethods, isFunction, makeAlike } from './framework.ts';
import {
  beginLayer,
  endReturnedLayer,
  endThrownLayer,
  isError,
  type LayerCall,
  leaveLayer,
  wrapNext,
} from './layer-call.ts';
import { describeLayer, type LayerUse } from './layer-use.ts';

type AnyFunction = (...args: unknown[]) => unknown;

interface ConnectApp {
  use: AnyFunction;
  handle: AnyFunction;
  readonly stack: readonly Entry[];
}

interface Entry {
  readonly route: string;
  readonly handle: unknown;
}

export const connectFiles: readonly FrameworkFile[] = [
  {
    packages: ['connect'],
    file: 'index.js',
    couldBe: (exported) => isFunction(exported) && exported.name === 'createServer' && exported.length === 0,
    patch: (exported) => (isFunction(exported) ? wrapConnect(exported) : undefined),
  },
];

/** Wraps Connect's function, so that each middleware of the applications it creates becomes a step. */
function wrapConnect(createServer: AnyFunction): AnyFunction {
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    const app = createServer.apply(this, args);
    if (isApp(app)) patchApp(app);
    return app;
  };
  return makeAlike(createServer, Object.assign(wrapped, createServer));
}

function isApp(app: unknown): app is ConnectApp {
  return (
    typeof app === 'function' &&
    hasMethods(app, ['use', 'handle']) &&
    'stack' in app &&
    Array.isArray(app.stack)
  );
}

/** Makes an application's middlewares steps: traced requests use a proxy of the application's `stack`, which stays unchanged. */
function patchApp(app: ConnectApp): void {
  const { use, handle } = app;
  app.use = makeAlike(use, function (this: unknown, ...args: unknown[]): unknown {
    const before = app.stack.length;
    const result = use.apply(this, args);
    const given = typeof args[0] === 'string' ? args[1] : args[0];
    if (isFunction(given) && 'handle' in given)
      for (const entry of app.stack.slice(before)) mounted.add(entry);
    return result;
  });
  app.handle = makeAlike(handle, function (this: unknown, ...args: unknown[]): unknown {
    const trace = isObject(args[0]) ? findRequestTrace(args[0]) : undefined;
    if (trace === undefined || trace.ended || !isApp(this)) return handle.apply(this, args);
    return handle.apply(Object.create(this, { stack: { value: wrapStack(this.stack) } }), args);
  });
}

/** Entries that mount another application. They get no steps, because the middlewares of the mounted application get steps. */
const mounted = new WeakSet<Entry>();
const stacks = new WeakMap<readonly Entry[], readonly Entry[]>();

/** Returns a proxy of the list of middleware, not a copy, because the host can add entries while a request is being processed. */
function wrapStack(stack: readonly Entry[]): readonly Entry[] {
  let wrapped = stacks.get(stack);
  if (wrapped === undefined) {
    wrapped = new Proxy(stack, {
      get(target, name): unknown {
        const value: unknown = Reflect.get(target, name);
        return isEntry(value) ? wrapEntry(value) : value;
      },
    });
    stacks.set(stack, wrapped);
  }
  return wrapped;
}

function isEntry(value: unknown): value is Entry {
  return isObject(value) && 'handle' in value && 'route' in value && typeof value.route === 'string';
}

const entries = new WeakMap<Entry, { readonly of: unknown; readonly wrapped: Entry }>();

function wrapEntry(entry: Entry): Entry {
  const { handle, route } = entry;
  const known = entries.get(entry);
  if (known !== undefined && known.of === handle) return known.wrapped;
  const wrapped = isFunction(handle)
    ? { route, handle: wrapMiddleware(handle, route, mounted.has(entry)) }
    : entry;
  entries.set(entry, { of: handle, wrapped });
  return wrapped;
}

/**
 * Wraps a middleware. The wrapper keeps the number of parameters: Connect calls a function with four parameters as an error handler, and
 * any other function as a middleware.
 */
function wrapMiddleware(fn: AnyFunction, mount: string, leadsOn: boolean): AnyFunction {
  const use = describeLayer(fn, 'middleware', `middleware ${mount || '/'}`, leadsOn);
  return makeAlike(fn, function (this: unknown, ...args: unknown[]): unknown {
    const running = beginLayer(() => describeCall(use, args));
    if (running === undefined) return fn.apply(this, args);
    const last = args.length - 1;
    const next = args[last];
    if (isFunction(next)) args[last] = wrapNext(running, next);
    try {
      const result = fn.apply(this, args);
      endReturnedLayer(running, result);
      return result;
    } catch (error) {
      endThrownLayer(running, error);
      throw error;
    } finally {
      leaveLayer(running);
    }
  });
}

function describeCall(use: LayerUse, args: readonly unknown[]): LayerCall | undefined {
  const [error, req] = args.length > 3 ? args : [undefined, args[0]];
  const trace = isObject(req) ? findRequestTrace(req) : undefined;
  if (trace === undefined || trace.ended) return undefined;
  if (isError(error)) trace.reportError(error);
  const { recording } = trace;
  return recording === null ? undefined : { trace, recording, use, manner: 'passing' };
}
