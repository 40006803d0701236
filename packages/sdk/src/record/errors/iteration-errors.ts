import { types } from 'node:util';
import { isObjectOrFunction } from '../../internal/is-object.ts';
import {
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isProxy,
} from '../writer/primordials.ts';

/*
 * V8's error message about a value that is not iterable contains the expression of the value. If the SDK wraps that expression in a call,
 * V8 would print another text. So these functions return the message that V8 would show without the SDK, or undefined if the value is
 * iterable or V8 produces the same message itself. The functions only read property descriptors: values that need more, such as proxies, are
 * left to V8.
 */

const { isGeneratorObject, isNativeError } = types;
const { apply } = Reflect;
const { captureStackTrace } = Error;
const { prototype: objectPrototype } = Object;

const INTERMEDIATE = '(intermediate value)';
const UNREADABLE = '(cannot read property Symbol(Symbol.iterator))';

/**
 * `compiled` is an async generator that a compiler turned into a generator. Its `yield*` iterates over an object that a helper made from
 * the author's value.
 */
export type GeneratorKind = 'sync' | 'async' | 'compiled';

/**
 * Returns V8's message about the subject of a `for` loop, if the subject is an `await` or `yield` expression. `local`, here and in the
 * following functions, is an object of the host's realm.
 */
export function findIterationMessage(value: unknown, local: object): string | undefined {
  return isIterable(value, local) ? undefined : `${INTERMEDIATE} is not iterable`;
}

/**
 * Returns V8's message for the subject of a `for await`. `printed` is the subject's expression as V8 prints it; undefined if V8 does not
 * print it.
 */
export function findAsyncIterationMessage(
  value: unknown,
  local: object,
  printed: string | undefined,
): string | undefined {
  // For undefined and null, V8 itself reports that it cannot read their properties.
  if (value === undefined || value === null || isSurelyIterable(value)) return undefined;
  const method = findMethod(value, Symbol.asyncIterator, local) ?? findMethod(value, Symbol.iterator, local);
  if (isMethod(method)) return undefined;
  if (printed === undefined) return `${describeType(method)} is not a function`;
  return `${printed} is not async iterable`;
}

/**
 * Returns V8's message about the operand of a `yield*`. After `yield* `, V8 prints `text`, and then `(intermediate value)` `times` times.
 */
export function findDelegateMessage(
  value: unknown,
  local: object,
  kind: GeneratorKind,
  times: number,
  text = '',
): string | undefined {
  const printed = times === 0 && text === '' ? undefined : `yield* ${text}${INTERMEDIATE.repeat(times)}`;
  if (kind === 'async') return findAsyncIterationMessage(value, local, printed);
  if (isIterable(value, local)) return undefined;
  return printed === undefined
    ? `${describeType(value)} is not iterable ${UNREADABLE}`
    : `${printed} is not iterable`;
}

/**
 * True if the value has a method `Symbol.iterator`. Generators are not recognized by their type: async generators have the same type, but
 * no `Symbol.iterator`.
 */
function isIterable(value: unknown, local: object): boolean {
  return isArray(value) || isMethod(findMethod(value, Symbol.iterator, local));
}

/** True for common values of a `for await`. Their methods are not checked: if the host has removed them, V8 itself reports the error. */
function isSurelyIterable(value: unknown): boolean {
  return isArray(value) || isGeneratorObject(value);
}

/** Result for a method that only the language itself may look up, because the lookup could run host code. */
const UNKNOWN = Symbol('unknown');

function isMethod(method: unknown): boolean {
  return method === UNKNOWN || typeof method === 'function';
}

/**
 * Finds a method by reading descriptors. The prototype of a primitive in another realm, such as a test's `vm` context, is unknown here and
 * can have other methods.
 */
function findMethod(value: unknown, key: symbol, local: object): unknown {
  if (value === undefined || value === null) return undefined;
  if (!isObjectOrFunction(value) && getPrototypeOf(local) !== objectPrototype) return UNKNOWN;
  for (let link: object | null = isObjectOrFunction(value) ? value : getPrototypeOf(value); link !== null; ) {
    if (isProxy(link)) return UNKNOWN;
    const descriptor = getOwnPropertyDescriptor(link, key);
    if (descriptor !== undefined) return hasOwn(descriptor, 'value') ? descriptor.value : UNKNOWN;
    link = getPrototypeOf(link);
  }
  return undefined;
}

/** Describes a value as V8 does when it has no source expression for the value. */
function describeType(value: unknown): string {
  if (typeof value === 'string') return `string "${value}"`;
  const isShown = value === null || typeof value === 'boolean' || typeof value === 'number';
  return isShown ? `${typeof value} ${value}` : typeof value;
}

/**
 * Creates the error that the language would throw in the host's code. That code can run in a `vm` context with a TypeError of its own;
 * `local` is an object that was made there. The error's stack begins where the host's code calls `caller`.
 */
export function createLanguageError(
  message: string,
  local: object,
  caller: (...args: never[]) => unknown,
): Error | undefined {
  const error = createErrorOfRealm(local);
  if (error === undefined) return undefined;
  defineProperty(error, 'message', { value: message, writable: true, configurable: true, enumerable: false });
  captureStackTrace(error, caller);
  return error;
}

/**
 * Creates a TypeError of the realm of `local`. Each realm has a function that throws such an error: the getter of
 * `Function.prototype.caller`.
 */
function createErrorOfRealm(local: object): Error | undefined {
  const objects: unknown = getPrototypeOf(local);
  const method: unknown =
    isObjectOrFunction(objects) && getOwnPropertyDescriptor(objects, 'hasOwnProperty')?.value;
  const functions: unknown = isObjectOrFunction(method) && getPrototypeOf(method);
  const thrower = isObjectOrFunction(functions)
    ? getOwnPropertyDescriptor(functions, 'caller')?.get
    : undefined;
  if (thrower === undefined) return undefined;
  try {
    apply(thrower, undefined, []);
  } catch (error) {
    if (isNativeError(error)) return error;
  }
  return undefined;
}
