import { readProperty, replaceOnce } from '../internal/foreign.ts';
import { isObject } from '../internal/is-object.ts';
import { startReturned } from '../record/async/start-returned.ts';

/** Gives functions that return a query or an aggregation its outcome, also if their callers chain it. Its `then` calls `exec`. */
export function patchMongoose(exported: unknown): void {
  replaceOnce(readProperty(exported, 'prototype'), 'exec', (original) => {
    return function (...args) {
      const exec = (): unknown => original.apply(this, args);
      return isObject(this) ? startReturned(this, exec) : exec();
    };
  });
}
