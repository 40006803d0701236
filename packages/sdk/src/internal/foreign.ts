import { types } from 'node:util';
import { isObjectOrFunction } from './is-object.ts';

/** Access to objects of libraries without types: reads properties by name, and calls methods only if they are functions. */

export type Method = (this: unknown, ...args: unknown[]) => unknown;

export function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}

/** Returns a property of any value; undefined if the value is not an object. */
export function readProperty(value: unknown, name: string): unknown {
  return isObjectOrFunction(value) ? Reflect.get(value, name) : undefined;
}

export function readTextProperty(value: unknown, name: string): string | undefined {
  const found = readProperty(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** Returns the value of an own property if reading it runs no code of the host, neither a getter nor a proxy trap; otherwise undefined. */
export function readOwnValue(value: unknown, name: string): unknown {
  if (!isObjectOrFunction(value) || types.isProxy(value)) return undefined;
  const found: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return found;
}

/** Calls an object's method and returns the result; undefined if there is no such method. */
export function call(value: unknown, name: string, ...args: unknown[]): unknown {
  const method = readProperty(value, name);
  return isMethod(method) ? Reflect.apply(method, value, args) : undefined;
}

const replaced = new WeakMap<object, Set<string>>();

/**
 * Replaces a method of an object, at most once, and as invisibly as possible: name, number of parameters and enumerability stay the same. A
 * method that cannot be replaced, as on sqlite3's statements before 5.1, stays unchanged.
 */
export function replaceOnce(target: unknown, name: string, make: (original: Method) => Method): void {
  const original = readProperty(target, name);
  if (!isObjectOrFunction(target) || !isMethod(original)) return;
  const names = replaced.get(target) ?? new Set();
  if (names.has(name)) return;
  replaced.set(target, names.add(name));
  const { enumerable = false, configurable = true } = Object.getOwnPropertyDescriptor(target, name) ?? {};
  if (!configurable) return;
  const value = make(original);
  Object.defineProperty(value, 'name', { value: original.name, configurable: true });
  Object.defineProperty(value, 'length', { value: original.length, configurable: true });
  Object.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
}
