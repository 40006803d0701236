import { types } from 'node:util';
import { isObject } from '../internal/is-object.ts';

/** Objects of libraries whose types we do not have: looked at by name, called if there is something to call. */

export type Method = (this: unknown, ...args: unknown[]) => unknown;

export function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}

/** A property of whatever it is; undefined where it is nothing that has any. */
export function property(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined;
}

/** A property that is text. */
export function textProperty(value: unknown, name: string): string | undefined {
  const found = property(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** A property's value where reading it runs no code of the host's: no getter, no proxy. */
export function ownValue(value: unknown, name: string): unknown {
  if (!isObject(value) || types.isProxy(value)) return undefined;
  const found: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return found;
}

/** Calls an object's method; undefined if there is none. */
export function call(value: unknown, name: string, ...args: unknown[]): unknown {
  const method = property(value, name);
  return isMethod(method) ? Reflect.apply(method, value, args) : undefined;
}

const replaced = new WeakMap<object, Set<string>>();

/** Replaces an object's method, once, as invisibly as can be: not enumerable, under its own name. One that cannot be replaced stays, as sqlite3's statements before 5.1. */
export function replaceOnce(target: unknown, name: string, make: (original: Method) => Method): void {
  const original = property(target, name);
  if (!isObject(target) || !isMethod(original)) return;
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
