import { AsyncLocalStorage } from 'node:async_hooks';
import { isMethod, type Method, readProperty, replaceOnce } from '../internal/foreign.ts';
import { isObjectOrFunction } from '../internal/is-object.ts';
import { getCurrentRecording } from '../record/async/current-recording.ts';
import { findThen } from '../record/async/thenables.ts';
import { watchSettlements } from './bluebird-settlements.ts';
import { wrapUnseen } from './bluebird-stacks.ts';

/**
 * Methods that receive the host's functions and call them later. `then`, `catch`, `finally`, `tap`, `spread` and others
 * all call `_then`.
 */
const CALLING_LATER = ['_then', 'map', 'filter', 'each', 'mapSeries', 'reduce'] as const;

/**
 * Makes Bluebird call the host's functions in the request whose code passed the functions to Bluebird. Bluebird queues callbacks, and runs
 * the whole queue in the async context of the first callback. Without this change, a function of one request would be recorded in another
 * request's trace.
 */
export function bindBluebird(exported: unknown): void {
  const prototype = readProperty(exported, 'prototype');
  watchSettlements(prototype);
  for (const target of [prototype, exported]) {
    for (const method of CALLING_LATER) replaceOnce(target, method, bindArguments);
  }
  replaceOnce(exported, 'coroutine', bindCoroutine);
  // A copy of the library has classes of its own, so the copy is patched, too.
  replaceOnce(exported, 'getNewLibraryCopy', (original) => {
    return function (...args) {
      const copy = original.apply(this, args);
      bindBluebird(copy);
      return copy;
    };
  });
}

function bindArguments(original: Method): Method {
  return wrapUnseen(
    original,
    (args, promise) =>
      getCurrentRecording() === undefined || isReflection(promise, args)
        ? args
        : args.map((arg) => (isMethod(arg) ? bindCallback(arg) : arg)),
    (result) => result,
  );
}

function bindCallback(callback: Method): Method {
  return AsyncLocalStorage.bind(wrapUnseen(callback, (args) => args, bindThenable));
}

/**
 * Binds the `then` of a thenable that Bluebird receives from the host. Bluebird calls `then` only after the host's function has returned.
 * The `then` of a query builder starts the query, which would otherwise belong to another request.
 */
function bindThenable(value: unknown): unknown {
  if (!isObjectOrFunction(value) || isBluebirdPromise(value)) return value;
  const then = findThen(value);
  if (then === undefined) return value;
  // biome-ignore lint/suspicious/noThenProperty: a thenable has this property
  return { then: AsyncLocalStorage.bind((...handlers: unknown[]) => then.apply(value, handlers)) };
}

/** True for promises of any copy of Bluebird, by the property that Bluebird itself checks. */
function isBluebirdPromise(value: object): boolean {
  return Object.hasOwn(value, '_promise0');
}

/** Makes `next`, `throw` and `return` of a coroutine's generator run in the request that called the coroutine. */
function bindCoroutine(original: Method): Method {
  const replacement: Method = function (generatorFunction, ...others) {
    if (!isMethod(generatorFunction)) return original.call(this, generatorFunction, ...others);
    const bound: Method = function (...args) {
      const generator = generatorFunction.apply(this, args);
      return getCurrentRecording() === undefined ? generator : bindGenerator(generator);
    };
    return original.call(this, bound, ...others);
  };
  // Bluebird keeps functions such as `addYieldHandler` as properties of `coroutine`.
  return Object.assign(replacement, original);
}

function bindGenerator(generator: unknown): unknown {
  const bound: Record<string, Method> = {};
  for (const turn of ['next', 'throw', 'return']) {
    const method = readProperty(generator, turn);
    if (isMethod(method))
      bound[turn] = AsyncLocalStorage.bind(wrapUnseen(method.bind(generator), (args) => args, bindTurn));
  }
  return bound;
}

/** If a generator's `next`, `throw` or `return` yields a thenable, binds the thenable with {@link bindThenable}. */
function bindTurn(turn: unknown): unknown {
  const value = readProperty(turn, 'value');
  const bound = bindThenable(value);
  return bound === value ? turn : { value: bound, done: readProperty(turn, 'done') };
}

/** True for a call by Bluebird's `reflect`. Its callback must not be wrapped, because Bluebird recognizes the callback by identity. */
function isReflection(promise: unknown, [fulfilled, rejected, , receiver]: readonly unknown[]): boolean {
  return isMethod(fulfilled) && fulfilled === rejected && receiver === promise;
}
