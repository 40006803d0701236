import { readProperty, replaceOnce } from '../internal/foreign.ts';
import { isObject } from '../internal/is-object.ts';
import { startReturned } from '../record/async/start-returned.ts';

/** Patches `exec`, which a query's `then` calls, so that the step of a function that returns a query shows the query's outcome. */
export function patchMongoose(exported: unknown): void {
  replaceOnce(readProperty(exported, 'prototype'), 'exec', (original) => {
    return function (...args) {
      const exec = (): unknown => original.apply(this, args);
      return isObject(this) ? startReturned(this, exec) : exec();
    };
  });
}
