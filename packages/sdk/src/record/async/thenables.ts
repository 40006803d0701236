import { isPromise } from 'node:util/types';
import {
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isProxy,
  objectPrototype,
} from '../writer/primordials.ts';

export type Then = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Returns the `then` of a thenable that is not a native promise, such as a database client's query. Returns undefined for all other values,
 * and if reading `then` would run host code.
 */
export function findThen(value: object): Then | undefined {
  if (isProxy(value) || isPromise(value)) return undefined;
  for (let link: object | null = value; link !== null; link = getPrototypeOf(link)) {
    if (link !== value && isProxy(link)) return undefined;
    if (hasOwn(link, 'then')) return findThenMethod(link);
    if (link === objectPrototype) return undefined;
  }
  return undefined;
}

function findThenMethod(object: object): Then | undefined {
  const then: unknown = getOwnPropertyDescriptor(object, 'then')?.value;
  return isFunction(then) ? then : undefined;
}

function isFunction(value: unknown): value is Then {
  return typeof value === 'function';
}

/**
 * True if the value can be a thenable: a function, or an object whose prototype chain contains a `then` or a proxy. A promise that is
 * resolved with any other value is fulfilled with that value. Runs no host code.
 */
export function mayBeThenable(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null) return false;
  for (let link: object | null = value; link !== null; link = getPrototypeOf(link)) {
    if (isProxy(link) || hasOwn(link, 'then')) return true;
  }
  return false;
}
