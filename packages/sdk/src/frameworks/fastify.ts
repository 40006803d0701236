import { subscribe } from 'node:diagnostics_channel';
import { findRequestTrace, type RequestTrace } from '../http/trace/request-trace.ts';
import { isObject } from '../internal/is-object.ts';
import { runGuarded } from '../internal/report.ts';
import { hasMethods, isFunction, makeAlike } from './framework.ts';
import {
  beginLayer,
  endReturnedLayer,
  endThrownLayer,
  type LayerCall,
  leaveLayer,
  wrapNext,
} from './layer-call.ts';
import { describeLayer, type LayerUse } from './layer-use.ts';

type AnyFunction = (...args: unknown[]) => unknown;

let isSubscribed = false;

/**
 * Patches each instance that Fastify publishes on its channel, however Fastify was loaded:
 * https://fastify.dev/docs/latest/Reference/Hooks/#diagnostics-channel-hooks
 */
export function subscribeToFastify(): void {
  if (isSubscribed) return;
  isSubscribed = true;
  subscribe('fastify.initialization', (message) => {
    runGuarded('Instrumenting Fastify', () => {
      if (!isObject(message) || !('fastify' in message)) return;
      if (hasMethods(message.fastify, ['addHook', 'setErrorHandler', 'setNotFoundHandler'])) {
        patchInstance(message.fastify);
      }
    });
  });
}

/** Patches one instance. The instances that Fastify creates for plugins inherit the patched methods. */
function patchInstance(instance: Record<string, AnyFunction>): void {
  const { addHook, setErrorHandler, setNotFoundHandler } = instance;
  if (addHook === undefined || setErrorHandler === undefined || setNotFoundHandler === undefined) return;
  addHook.call(instance, 'onRoute', wrapRoute);
  addHook.call(instance, 'onError', noteError);
  instance.addHook = makeAlike(addHook, function (this: unknown, name: unknown, fn: unknown): unknown {
    return addHook.call(this, name, wrapHook(name, fn));
  });
  instance.setErrorHandler = makeAlike(
    setErrorHandler,
    function (this: unknown, fn: unknown, ...rest: unknown[]) {
      return setErrorHandler.call(this, isFunction(fn) ? wrapErrorHandler(fn) : fn, ...rest);
    },
  );
  instance.setNotFoundHandler = makeAlike(setNotFoundHandler, function (this: unknown, ...args: unknown[]) {
    return setNotFoundHandler.apply(
      this,
      args.map((arg) =>
        isFunction(arg)
          ? wrapAsStep(arg, describeLayer(arg, 'handler', 'not found handler'))
          : withHooks(arg),
      ),
    );
  });
}

/** Hooks that run for each request: https://fastify.dev/docs/latest/Reference/Lifecycle/ */
const requestHooks = new Set([
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onError',
  'onSend',
  'onResponse',
  'onTimeout',
  'onRequestAbort',
]);

function wrapHook(name: unknown, fn: unknown): unknown {
  if (name === 'onRoute' && isFunction(fn)) return unwrapOnRoute(fn);
  if (typeof name !== 'string' || !requestHooks.has(name)) return fn;
  if (Array.isArray(fn)) return fn.map((one) => wrapHook(name, one));
  return isFunction(fn) ? wrapAsStep(fn, describeLayer(fn, 'middleware', `${name} hook`)) : fn;
}

/** Returns a copy of the options of `setNotFoundHandler` in which the hooks are wrapped. */
function withHooks(options: unknown): unknown {
  if (!isObject(options)) return options;
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, wrapHook(name, value)]));
}

/**
 * For each options object of a route: the options that the SDK has replaced. `was` is the host's value and `now` is the SDK's. `had` is
 * false if the host did not set the option.
 */
const replaced = new WeakMap<
  object,
  Map<string, { readonly had: boolean; readonly was: unknown; readonly now: unknown }>
>();

/** Wraps the functions of a route. The SDK can change the options, because Fastify gives each route its own copy of them. */
function wrapRoute(options: unknown): void {
  runGuarded('Instrumenting a route', () => {
    if (!isObject(options)) return;
    for (const name of requestHooks) {
      if (name in options) replace(options, name, wrapHook(name, Reflect.get(options, name)));
    }
    const url = 'url' in options ? String(options.url) : undefined;
    const method = 'method' in options ? String(options.method) : 'ALL';
    const errorHandler = 'errorHandler' in options ? options.errorHandler : undefined;
    if (isFunction(errorHandler)) replace(options, 'errorHandler', wrapErrorHandler(errorHandler));
    const handler = 'handler' in options ? options.handler : undefined;
    if (!isFunction(handler) || ours.has(handler)) return;
    replace(options, 'handler', wrapAsStep(handler, describeLayer(handler, 'handler', `${method} ${url}`)));
  });
}

function replace(options: object, name: string, now: unknown): void {
  const names = replaced.get(options) ?? new Map();
  replaced.set(options, names);
  const before = names.get(name);
  const was: unknown = Reflect.get(options, name);
  names.set(
    name,
    before?.now === was && before !== undefined ? { ...before, now } : { had: name in options, was, now },
  );
  Reflect.set(options, name, now);
}

/** Restores the host's values of the options that the SDK replaced, unless the host has replaced an option since. */
function unwrapRoute(options: unknown): void {
  if (!isObject(options)) return;
  for (const [name, { had, was, now }] of replaced.get(options) ?? []) {
    if (Reflect.get(options, name) !== now) continue;
    if (had) Reflect.set(options, name, was);
    else Reflect.deleteProperty(options, name);
  }
  replaced.delete(options);
}

/** Wraps a host's `onRoute` hook, which can read and change a route's options. The hook sees the options as the host set them. */
function unwrapOnRoute(hook: AnyFunction): AnyFunction {
  return makeAlike(hook, function (this: unknown, ...args: unknown[]): unknown {
    runGuarded('Instrumenting a route', () => unwrapRoute(args[0]));
    try {
      return hook.apply(this, args);
    } finally {
      wrapRoute(args[0]);
    }
  });
}

/** Reports an error that Fastify is about to send, such as the error for a body that does not match its schema. */
function noteError(request: unknown, _reply: unknown, error: unknown, done: () => void): void {
  findTrace(request)?.reportError(error);
  done();
}

const ours = new WeakSet<AnyFunction>();

function wrapErrorHandler(fn: AnyFunction): AnyFunction {
  const asStep = wrapAsStep(fn, describeLayer(fn, 'middleware', 'error handler'), 1);
  return makeAlike(fn, function (this: unknown, ...args: unknown[]): unknown {
    findTrace(args[1])?.reportError(args[0]);
    return asStep.apply(this, args);
  });
}

/** Wraps a function as a step. `requestAt` is the index of the request among the arguments; the callback `done` comes last. */
function wrapAsStep(fn: AnyFunction, use: LayerUse, requestAt = 0): AnyFunction {
  if (ours.has(fn)) return fn;
  const wrapper = makeAlike(fn, function (this: unknown, ...args: unknown[]): unknown {
    const running = beginLayer(() => describeCall(use, args[requestAt]));
    if (running === undefined) return fn.apply(this, args);
    const done = args.at(-1);
    if (isFunction(done)) args[args.length - 1] = wrapNext(running, done);
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
  ours.add(wrapper);
  return wrapper;
}

function describeCall(use: LayerUse, request: unknown): LayerCall | undefined {
  const trace = findTrace(request);
  if (trace === undefined || trace.ended) return undefined;
  trace.route ??= readRoute(request);
  const { recording } = trace;
  return recording === null ? undefined : { trace, recording, use, manner: 'hook' };
}

function findTrace(request: unknown): RequestTrace | undefined {
  const raw = isObject(request) && 'raw' in request ? request.raw : undefined;
  return isObject(raw) ? findRequestTrace(raw) : undefined;
}

/** Returns the route's path; undefined if no route matched. */
function readRoute(request: unknown): string | undefined {
  const options = isObject(request) && 'routeOptions' in request ? request.routeOptions : undefined;
  const url = isObject(options) && 'url' in options ? options.url : undefined;
  return typeof url === 'string' ? url : undefined;
}
