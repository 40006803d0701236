import {
  type ContextManager,
  context,
  propagation,
  type Span,
  type TextMapPropagator,
  type TracerProvider,
} from '@opentelemetry/api';

import { isMethod, type Method, readOwnValue, replaceOnce } from '../../internal/foreign.ts';

/**
 * The SDK's own API objects, which an instrumentation uses instead of those that the host registered, so that the host's tracing and the
 * SDK's can work at the same time.
 */
export interface Tools {
  readonly provider: TracerProvider;
  readonly contextManager: ContextManager;
  readonly propagator: TextMapPropagator;
  /** Captures the values that are bound to a span's statement. */
  noteBoundValues(span: Span, statement: string | undefined, values: unknown): void;
  /** Starts the work of a lazy thenable; see `startReturned`. */
  startReturned<T>(thenable: object, start: () => T): T;
  /** Sets the rows that a span's query returned. */
  noteRows(span: Span, rows: unknown): void;
}

export interface UsedInstrumentation {
  setTracerProvider(provider: TracerProvider): void;
  getModuleDefinitions(): readonly { readonly name: string }[];
}

/**
 * Patches a library's file for tracing and returns the new exports. `name` is the library's name, followed by the file's
 * path unless it is the main file.
 */
export type Patch = (name: string, exports: unknown, folder: string) => unknown;

/**
 * Makes an instrumentation patch the exports passed to it, instead of hooking `require` and `import` itself. The instrumentation must not
 * have been enabled. It wraps the current methods of the exports, even if the host's own instrumentation has already wrapped these methods.
 */
export function patchWith(instrumentation: UsedInstrumentation, tools: Tools): Patch {
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

/**
 * Wraps a method so that its callback runs in the context of the request that passed the callback, even if another request triggers the
 * callback.
 */
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

/**
 * Overrides a private member of a package. A new version of the package can change its private members, so each bundled version is tested.
 */
function takeOver(target: object, name: string, value: unknown): void {
  if (!(name in target)) throw new Error(`the instrumentation has no ${name}`);
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

const wrapped = new WeakMap<object, Set<PropertyKey>>();

/**
 * Wraps a method, at most once per object. A library's file and its main export can be the same class, which an instrumentation then
 * patches twice.
 */
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
  const below = readOwnValue(original, '__original');
  if (isMethod(value) && isMethod(below)) {
    // The host's own instrumentation has already wrapped the method. It recognizes a wrapper by these properties, and removes the wrapper
    // before it wraps the method again.
    const unwrap = (): void => {
      inner = below;
    };
    Object.assign(value, { __original: below, __wrapped: true, __unwrap: unwrap });
  }
  Object.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
  return value;
}
