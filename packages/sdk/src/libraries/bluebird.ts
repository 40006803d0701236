import { AsyncLocalStorage } from 'node:async_hooks';
import { currentRecording } from '../record/async/work-context.ts';
import { isMethod, property, replaceOnce } from './foreign.ts';

/** Each takes the host's functions and calls them later. `_then` is what `then`, `catch`, `finally`, `tap`, `spread` and others come to. */
const CALLING_LATER = ['_then', 'map', 'filter', 'each', 'mapSeries', 'reduce'] as const;

/**
 * Makes Bluebird call the host's functions in the request that handed them over. Its promises wait in one queue of its own, which runs in the async context of
 * the first of them: without this, one request's functions would be recorded in another's trace.
 */
export function bindBluebird(exported: unknown): void {
  for (const target of [property(exported, 'prototype'), exported]) {
    for (const method of CALLING_LATER) replaceOnce(target, method, bindArguments);
  }
  // A copy of the library has classes of its own.
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
    if (currentRecording() === undefined || isReflection(this, args)) return original.apply(this, args);
    return original.apply(
      this,
      args.map((arg) => (isMethod(arg) ? AsyncLocalStorage.bind(arg) : arg)),
    );
  };
}

/** `reflect` hands over a function of Bluebird's own, which Bluebird knows by its identity. */
function isReflection(promise: unknown, [fulfilled, rejected, , receiver]: readonly unknown[]): boolean {
  return isMethod(fulfilled) && fulfilled === rejected && receiver === promise;
}
