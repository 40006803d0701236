import { functionName, ownData } from './snapshot-class.ts';
import {
  domExceptionMessage,
  domExceptionName,
  errorConstructor,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isNativeError,
  isProxy,
  nativeStackGetter,
  readStack,
} from './snapshot-intrinsics.ts';
import { excerpt } from './snapshot-text.ts';
import type { StepError } from './types.ts';

/** Errors say more in a message than a value does in a string. */
export const MESSAGE_LENGTH = 1000;
export const STACK_LENGTH = 4000;
const MAX_CHAIN = 32;

/**
 * What was thrown, as a step shows it: read through data properties only, so a getter is not run. Never throws; anything may be thrown.
 * `stack` is left out when the host formats stacks itself (`Error.prepareStackTrace`), since reading one would run that.
 */
export function describeError(error: unknown): StepError {
  try {
    if (typeof error !== 'object' || error === null) return { message: describePrimitive(error) };
    if (isProxy(error)) return { message: 'a Proxy was thrown' };
    const message = errorText(error, 'message');
    const name = errorText(error, 'name');
    const stack = errorStack(error);
    const code = ownData(error, 'code');
    return {
      message: excerpt(message ?? 'an object without a message was thrown', MESSAGE_LENGTH),
      ...(name !== undefined && { name: excerpt(name, 100) }),
      ...(stack !== undefined && { stack: excerpt(stack, STACK_LENGTH) }),
      ...((typeof code === 'string' || typeof code === 'number') && { code: excerpt(`${code}`, 100) }),
    };
  } catch {
    return { message: 'an error that cannot be described was thrown' };
  }
}

function describePrimitive(thrown: unknown): string {
  switch (typeof thrown) {
    case 'string':
      return excerpt(thrown, MESSAGE_LENGTH);
    case 'function':
      return `function ${isProxy(thrown) ? '' : functionName(thrown)} was thrown`;
    case 'symbol':
      return 'a symbol was thrown';
    case 'bigint':
      return 'a bigint was thrown';
    default:
      return `${thrown}`;
  }
}

/** An error's message or name, where it is plain data of its own or of its class, or a DOMException's. */
export function errorText(object: object, key: 'message' | 'name'): string | undefined {
  let link: object | null = object;
  for (let steps = 0; link !== null && steps < MAX_CHAIN && !isProxy(link); steps++) {
    const descriptor = getOwnPropertyDescriptor(link, key);
    if (descriptor !== undefined) {
      if (!hasOwn(descriptor, 'value')) return domExceptionText(object, key);
      return typeof descriptor.value === 'string' ? descriptor.value : undefined;
    }
    link = getPrototypeOf(link);
  }
  return undefined;
}

function domExceptionText(object: object, key: 'message' | 'name'): string | undefined {
  try {
    const text = key === 'message' ? domExceptionMessage(object) : domExceptionName(object);
    return typeof text === 'string' ? text : undefined;
  } catch {
    // Not one: the accessor is the host's own.
    return undefined;
  }
}

/** The stack's text; undefined when there is none or when reading it could run the host's code. */
export function errorStack(error: object): string | undefined {
  // V8 writes a stack out when it is first read, and asks the host's own function for it if there is one.
  if (isNativeError(error) && hostFormatsStacks()) return undefined;
  const descriptor = getOwnPropertyDescriptor(error, 'stack');
  if (descriptor === undefined) return undefined;
  if (hasOwn(descriptor, 'value')) return typeof descriptor.value === 'string' ? descriptor.value : undefined;
  if (nativeStackGetter === undefined || descriptor.get !== nativeStackGetter) return undefined;
  const stack = readStack(error);
  return typeof stack === 'string' ? stack : undefined;
}

function hostFormatsStacks(): boolean {
  const descriptor = getOwnPropertyDescriptor(errorConstructor, 'prepareStackTrace');
  if (descriptor === undefined) return false;
  if (!hasOwn(descriptor, 'value')) return true;
  const format: unknown = descriptor.value;
  // Node's own default is a function of this name.
  return (
    typeof format === 'function' && (isProxy(format) || functionName(format) !== 'ErrorPrepareStackTrace')
  );
}
