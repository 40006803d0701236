import {
  type ContextManager,
  context,
  propagation,
  type TextMapPropagator,
  type TracerProvider,
} from '@opentelemetry/api';

import { isMethod, type Method, ownValue, replaceOnce } from '../foreign.ts';

/** Our own API for an instrumentation, instead of the one that the host registered: ours works beside the host's. */
export interface Tools {
  readonly provider: TracerProvider;
  readonly contextManager: ContextManager;
  readonly propagator: TextMapPropagator;
}

/** The parts of an instrumentation that we use. */
export interface Driven {
  setTracerProvider(provider: TracerProvider): void;
  getModuleDefinitions(): readonly { readonly name: string }[];
}

/** Makes a library's file traced; returns what it is to export. `name` is the library's own, with the file's path unless that is its main one. */
export type Patch = (name: string, exports: unknown, folder: string) => unknown;

/**
 * Makes an instrumentation patch what it is handed: its own hooks into `require` and `import` are not used. It must not have been enabled.
 * Its wrappers go around whatever is there, the host's own instrumentation included.
 */
export function patchWith(instrumentation: Driven, tools: Tools): Patch {
  takeOver(context, '_getContextManager', () => tools.contextManager);
  takeOver(propagation, '_getGlobalPropagator', () => tools.propagator);
  instrumentation.setTracerProvider(tools.provider);
  takeOver(instrumentation, '_wrap', wrap);
  takeOver(instrumentation, '_unwrap', () => {});
  takeOver(instrumentation, '_enabled', true);
  const definitions = instrumentation.getModuleDefinitions();
  const onRequire: unknown = Reflect.get(instrumentation, '_onRequire');
  if (typeof onRequire !== 'function') throw new Error('the instrumentation has no _onRequire');
  return (name, exports, folder) => {
    let patched = exports;
    for (const definition of definitions) {
      if (name !== definition.name && !name.startsWith(`${definition.name}/`)) continue;
      patched = Reflect.apply(onRequire, instrumentation, [definition, patched, name, folder]) ?? patched;
    }
    return patched;
  };
}

/** Makes a method call its callback in the request that passed it, even if another request triggers the call. */
export function keepContext(target: unknown, method: string, { contextManager }: Tools): void {
  replaceOnce(target, method, (original) => {
    return function (...args) {
      const last = args.length - 1;
      const callback = args[last];
      if (isMethod(callback)) args[last] = contextManager.bind(contextManager.active(), callback);
      return original.apply(this, args);
    };
  });
}

/** These are not part of what the packages promise: each version that is built in is tested. */
function takeOver(target: object, name: string, value: unknown): void {
  if (!(name in target)) throw new Error(`the instrumentation has no ${name}`);
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

const wrapped = new WeakMap<object, Set<PropertyKey>>();

/** Puts a wrapper around a method, once: a library's file and what it exports by name may be the same class. */
function wrap(
  target: object,
  name: PropertyKey,
  make: (original: unknown, name: PropertyKey) => unknown,
): unknown {
  const original: unknown = Reflect.get(target, name);
  const names = wrapped.get(target) ?? new Set();
  if (!isMethod(original) || names.has(name)) return original;
  wrapped.set(target, names.add(name));
  const enumerable = Object.getOwnPropertyDescriptor(target, name)?.enumerable ?? false;
  let inner = original;
  const through: Method = function (...args) {
    return inner.apply(this, args);
  };
  Object.defineProperty(through, 'length', { value: original.length });
  const value = make(through, name);
  const below = ownValue(original, '__original');
  if (isMethod(value) && isMethod(below)) {
    // The host's own instrumentation is below. It takes its wrapper away before it puts it there again, and finds it by these marks.
    const unwrap = (): void => {
      inner = below;
    };
    Object.assign(value, { __original: below, __wrapped: true, __unwrap: unwrap });
  }
  Object.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
  return value;
}
