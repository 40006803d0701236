import { AsyncLocalStorage } from 'node:async_hooks';
import { isMethod, readProperty, replaceOnce } from '../internal/foreign.ts';
import { getCurrentRecording } from '../record/async/current-recording.ts';

/**
 * Methods that receive the host's functions and call them later. `then`, `catch`, `finally`, `tap`, `spread` and others
 * all call `_then`.
 */
const CALLING_LATER = ['_then', 'map', 'filter', 'each', 'mapSeries', 'reduce'] as const;

/**
 * Makes Bluebird call the host's functions in the request that passed them in. Bluebird queues callbacks, and runs the whole queue in the
 * async context of the first callback. Without the binding, a function of one request would be recorded in another request's trace.
 */
export function bindBluebird(exported: unknown): void {
  for (const target of [readProperty(exported, 'prototype'), exported]) {
    for (const method of CALLING_LATER) replaceOnce(target, method, bindArguments);
  }
  // A copy of the library has classes of its own, so the copy is patched, too.
  replaceOnce(exported, 'getNewLibraryCopy', (original) => {
    return function (...args) {
      const copy = original.apply(this, args);
      bindBluebird(copy);
      return copy;
    };
  });
}

function bindArguments(original: (this: unknown, ...args: unknown[]) => unknown) {
  return function (this: unknown, ...args: unknown[]): unknown {
    if (getCurrentRecording() === undefined || isReflection(this, args)) return original.apply(this, args);
    return original.apply(
      this,
      args.map((arg) => (isMethod(arg) ? AsyncLocalStorage.bind(arg) : arg)),
    );
  };
}

/** True for a call by Bluebird's `reflect`. Its callback must not be wrapped, because Bluebird recognizes the callback by identity. */
function isReflection(promise: unknown, [fulfilled, rejected, , receiver]: readonly unknown[]): boolean {
  return isMethod(fulfilled) && fulfilled === rejected && receiver === promise;
}
