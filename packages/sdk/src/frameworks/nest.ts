import { findRequestTrace, getCurrentTrace, type RequestTrace } from '../http/trace/request-trace.ts';
import { isObject } from '../internal/is-object.ts';
import { runGuarded } from '../internal/report.ts';
import { hasFrame, markSite } from '../record/instrumented.ts';
import { readErrorText } from '../record/snapshot/error.ts';
import { type FrameworkFile, getPrototype, hasMethods, isFunction } from './framework.ts';
import { leaveOutUnnamed, markPlumbing } from './layer-use.ts';

type AnyFunction = (...args: unknown[]) => unknown;
type Prototype = Record<string, AnyFunction>;

const TASK = 'Instrumenting Nest';
/** For each function that Nest made from a controller's method: the method's name, such as `OrdersController.find`. */
const names = new WeakMap<AnyFunction, string>();

/**
 * Nest runs on Express or Fastify, where its layers become steps. Nest compares its functions by identity, so the SDK replaces none of
 * them. Instead, the SDK marks each host function that Nest is about to call, so that calls of the function become steps of the correct
 * type. Nest's own functions around a host function get no steps.
 */
export const nestFiles: readonly FrameworkFile[] = [
  describeNestFile('router-execution-context.js', 'RouterExecutionContext', 'create', (prototype, create) => {
    leaveOutUnnamed();
    prototype.create = function (this: unknown, ...args: unknown[]): unknown {
      runGuarded(TASK, () => markHandler(args));
      const made = create.apply(this, args);
      if (isFunction(made)) names.set(made, formatMethodName(args));
      return made;
    };
  }),
  // Gives the registered function, which has no name in Nest 11, the name that the function has in Nest 12.
  describeNestFile('router-proxy.js', 'RouterProxy', 'createProxy', (prototype, createProxy) => {
    prototype.createProxy = function (this: unknown, ...args: unknown[]): unknown {
      const registered = createProxy.apply(this, args);
      const name = isFunction(args[0]) ? names.get(args[0]) : undefined;
      if (name !== undefined && isFunction(registered) && registered.name === '')
        Object.defineProperty(registered, 'name', { value: name, configurable: true });
      return registered;
    };
  }),
  describeNestFile('middleware-module.js', 'MiddlewareModule', 'bindHandler', (prototype, bindHandler) => {
    prototype.bindHandler = function (this: unknown, ...args: unknown[]): unknown {
      runGuarded(TASK, () => markMethods([Reflect.get(Object(args[0]), 'instance')], 'use'));
      return bindHandler.apply(this, args);
    };
  }),
  describeMarking('guards-consumer.js', 'GuardsConsumer', 'tryActivate', 0, 'canActivate'),
  describeMarking('interceptors-consumer.js', 'InterceptorsConsumer', 'intercept', 0, 'intercept'),
  describeMarking('pipes-consumer.js', 'PipesConsumer', 'apply', 2, 'transform'),
  describeNestFile('exceptions-handler.js', 'ExceptionsHandler', 'next', (prototype, next) => {
    prototype.next = function (this: unknown, ...args: unknown[]): unknown {
      runGuarded(TASK, () => reportException(args[0], args[1]));
      return next.apply(this, args);
    };
  }),
];

/** Reports an exception, except the one that Nest throws if no route matches. */
function reportException(exception: unknown, host: unknown): void {
  const trace = findTrace(host);
  if (trace === undefined) return;
  const isUnknownPath =
    isObject(exception) && readErrorText(exception, 'message') === `Cannot ${trace.method} ${trace.target}`;
  if (!isUnknownPath) trace.reportError(exception);
}

/** Finds the trace by Nest's arguments host, which contains the request of Express or Fastify. */
function findTrace(host: unknown): RequestTrace | undefined {
  const req: unknown = hasMethods(host, ['getArgByIndex']) ? host.getArgByIndex?.(0) : undefined;
  if (!isObject(req)) return getCurrentTrace();
  return findRequestTrace('raw' in req && isObject(req.raw) ? req.raw : req) ?? getCurrentTrace();
}

function formatMethodName([controller, , methodName]: unknown[]): string {
  return `${readClassName(controller)}.${String(methodName)}`;
}

function markHandler(args: unknown[]): void {
  const callback = args[1];
  if (!isFunction(callback) || !hasFrame(callback)) return;
  const name = formatMethodName(args);
  markSite(callback, name, 'handler');
  // Nest gives the same name to the function that it registers around the method.
  markPlumbing(name);
}

function describeNestFile(
  file: string,
  exportName: string,
  method: string,
  patch: (prototype: Prototype, original: AnyFunction) => void,
): FrameworkFile {
  return {
    packages: ['@nestjs/core'],
    file,
    couldBe: isObject,
    patch(exported) {
      const prototype = getPrototype(exported, exportName, [method]);
      const original = prototype?.[method];
      if (prototype !== undefined && original !== undefined) patch(prototype, original);
    },
  };
}

/**
 * Patches a class's method `method`, whose argument with index `at` is a list of objects. Before each call, marks the method `called` of
 * each object in the list.
 */
function describeMarking(
  file: string,
  exportName: string,
  method: string,
  at: number,
  called: string,
): FrameworkFile {
  return describeNestFile(file, exportName, method, (prototype, original) => {
    prototype[method] = function (this: unknown, ...args: unknown[]): unknown {
      const objects = args[at];
      if (Array.isArray(objects)) runGuarded(TASK, () => markMethods(objects, called));
      return original.apply(this, args);
    };
  });
}

/** Marks the method `name` of each object. Reads only methods on the object's class, never getters. */
function markMethods(objects: readonly unknown[], name: string): void {
  for (const object of objects) {
    if (typeof object !== 'object' || object === null) continue;
    const method = readOwnValue(Object.getPrototypeOf(object), name);
    if (isFunction(method)) markSite(method, `${readClassName(object)}.${name}`, 'middleware');
  }
}

function readClassName(object: unknown): string {
  if (typeof object !== 'object' || object === null) return '';
  const made = readOwnValue(Object.getPrototypeOf(object), 'constructor');
  return typeof made === 'function' ? made.name : '';
}

function readOwnValue(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined;
  return Object.getOwnPropertyDescriptor(object, name)?.value;
}
