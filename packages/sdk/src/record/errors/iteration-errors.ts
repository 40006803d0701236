import { types } from 'node:util';
import { isObject } from '../../internal/is-object.ts';
import {
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isProxy,
} from '../writer/primordials.ts';

/*
 * V8 names in its messages the expression whose value is not iterable. Where a call of ours stands around that expression, these functions tell what V8 would say;
 * undefined where V8 says so itself. They look with descriptors only: a value that needs more, such as a proxy, is left to V8.
 */

const { isGeneratorObject, isNativeError } = types;
const { apply } = Reflect;
const { captureStackTrace } = Error;
const { prototype: objectPrototype } = Object;

const INTERMEDIATE = '(intermediate value)';
const UNREADABLE = '(cannot read property Symbol(Symbol.iterator))';

/** An async generator that a compiler turned into a generator iterates a value that a helper made of the author's value. */
export type GeneratorKind = 'sync' | 'async' | 'compiled';

/** V8's message for the subject of a `for` that was awaited or sent in. `local` is an object of the host's realm, here and below. */
export function iterationMessage(value: unknown, local: object): string | undefined {
  return isIterable(value, local) ? undefined : `${INTERMEDIATE} is not iterable`;
}

/** V8's message for the subject of a `for await`; `printed` is its expression as V8 prints it, if V8 does. */
export function asyncIterationMessage(
  value: unknown,
  local: object,
  printed: string | undefined,
): string | undefined {
  // V8 itself says of these that it cannot read their properties.
  if (value === undefined || value === null || isSurelyIterable(value)) return undefined;
  const method = findMethod(value, Symbol.asyncIterator, local) ?? findMethod(value, Symbol.iterator, local);
  if (isMethod(method)) return undefined;
  if (printed === undefined) return `${typeText(method)} is not a function`;
  return `${printed} is not ${printed.endsWith('(...)') ? 'a function or its return value is not ' : ''}async iterable`;
}

/** V8's message for the value of a `yield*`, which V8 prints `times` times. */
export function delegateMessage(
  value: unknown,
  local: object,
  kind: GeneratorKind,
  times: number,
): string | undefined {
  const printed = times === 0 ? undefined : `yield* ${INTERMEDIATE.repeat(times)}`;
  if (kind === 'async') return asyncIterationMessage(value, local, printed);
  if (isIterable(value, local)) return undefined;
  return printed === undefined
    ? `${typeText(value)} is not iterable ${UNREADABLE}`
    : `${printed} is not iterable`;
}

function isIterable(value: unknown, local: object): boolean {
  return isSurelyIterable(value) || isMethod(findMethod(value, Symbol.iterator, local));
}

/** The usual ones, without a look at their methods: where the host has removed those, V8 says so. */
function isSurelyIterable(value: unknown): boolean {
  return isArray(value) || isGeneratorObject(value);
}

/** In place of a method that only the language itself may look up. */
const UNKNOWN = Symbol('unknown');

function isMethod(method: unknown): boolean {
  return method === UNKNOWN || typeof method === 'function';
}

/** A primitive of another realm, such as a test's `vm` context, may inherit methods that are unknown here. */
function findMethod(value: unknown, key: symbol, local: object): unknown {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value) && getPrototypeOf(local) !== objectPrototype) return UNKNOWN;
  for (let link: object | null = isObject(value) ? value : getPrototypeOf(value); link !== null; ) {
    if (isProxy(link)) return UNKNOWN;
    const descriptor = getOwnPropertyDescriptor(link, key);
    if (descriptor !== undefined) return hasOwn(descriptor, 'value') ? descriptor.value : UNKNOWN;
    link = getPrototypeOf(link);
  }
  return undefined;
}

/** As V8 describes a value of which it knows no place in the source. */
function typeText(value: unknown): string {
  if (typeof value === 'string') return `string "${value}"`;
  const isShown = value === null || typeof value === 'boolean' || typeof value === 'number';
  return isShown ? `${typeof value} ${value}` : typeof value;
}

/**
 * The error that the language would throw with such a message in the host's code, which may run in a `vm` context with a TypeError of its own: `local` is an object
 * made there. Its stack begins where the host's code called `caller`.
 */
export function languageError(
  message: string,
  local: object,
  caller: (...args: never[]) => unknown,
): Error | undefined {
  const error = errorOfRealm(local);
  if (error === undefined) return undefined;
  defineProperty(error, 'message', { value: message, writable: true, configurable: true, enumerable: false });
  captureStackTrace(error, caller);
  return error;
}

/** A TypeError of the object's realm: each has a function that throws one, and is the getter of a function's `caller`. */
function errorOfRealm(local: object): Error | undefined {
  const objects: unknown = getPrototypeOf(local);
  const method: unknown = isObject(objects) && getOwnPropertyDescriptor(objects, 'hasOwnProperty')?.value;
  const functions: unknown = isObject(method) && getPrototypeOf(method);
  const thrower = isObject(functions) ? getOwnPropertyDescriptor(functions, 'caller')?.get : undefined;
  if (thrower === undefined) return undefined;
  try {
    apply(thrower, undefined, []);
  } catch (error) {
    if (isNativeError(error)) return error;
  }
  return undefined;
}
