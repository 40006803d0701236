import { isQuietObject, messageObjectText } from '../errors/message-object.ts';
import type { StepError } from '../types.ts';
import {
  domExceptionMessage,
  domExceptionName,
  errorConstructor,
  functionSource,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  includesText,
  isNativeError,
  isProxy,
  nativeStackGetter,
  readStack,
} from '../writer/primordials.ts';
import { findClassName, functionName, ownData } from './class-kind.ts';
import { excerpt } from './text.ts';

/** Errors say more in a message than a value does in a string. */
export const MESSAGE_LENGTH = 1000;
const STACK_LENGTH = 4000;
const MAX_CHAIN = 32;
/** The number of causes that a step shows. */
const MAX_CAUSES = 5;

/**
 * The thrown value as a step shows it, without its stack. Reads only data properties, so no getter runs. Never throws; any value may be
 * thrown.
 */
export function describeError(error: unknown): StepError {
  try {
    const message = describeMessage(error);
    if (typeof error !== 'object' || error === null || isProxy(error)) return { message };
    if (messageObject(error) !== undefined) return describeWithObject(error, message);
    const name = errorText(error, 'name');
    // GraphQL's errors have theirs among their extensions.
    const code = ownData(error, 'code') ?? codeIn(ownData(error, 'extensions'));
    return {
      message,
      ...(name !== undefined && { name: excerpt(name, 100) }),
      ...((typeof code === 'string' || typeof code === 'number') && { code: excerpt(`${code}`, 100) }),
    };
  } catch {
    return { message: 'an error that cannot be described was thrown' };
  }
}

/** An error whose message is an object, as some frameworks make them: its class and status say more than the name that all errors have. */
function describeWithObject(error: object, message: string): StepError {
  const said = errorText(error, 'name');
  const name = said === undefined || said === 'Error' ? findClassName(getPrototypeOf(error)) : said;
  const code = ownData(error, 'code') ?? ownData(error, 'status') ?? ownData(error, 'statusCode');
  return {
    message,
    name: excerpt(name, 100),
    ...((typeof code === 'string' || typeof code === 'number') && { code: excerpt(`${code}`, 100) }),
  };
}

function codeIn(extensions: unknown): unknown {
  return typeof extensions === 'object' && extensions !== null && !isProxy(extensions)
    ? ownData(extensions, 'code')
    : undefined;
}

function messageObject(error: object): object | undefined {
  const message = ownData(error, 'message');
  return typeof message === 'object' && message !== null ? message : undefined;
}

function describeMessage(error: unknown): string {
  if (typeof error !== 'object' || error === null) return describePrimitive(error);
  if (isProxy(error)) return 'a Proxy was thrown';
  const object = messageObject(error);
  if (object !== undefined) return excerpt(messageObjectText(object), MESSAGE_LENGTH);
  return excerpt(errorText(error, 'message') ?? 'an object without a message was thrown', MESSAGE_LENGTH);
}

/** True if the error still has the recorded message. Never throws. */
export function isSaidStill(error: unknown, said: StepError): boolean {
  try {
    return describeMessage(error) === said.message;
  } catch {
    return true;
  }
}

/**
 * An error's stack, and after it its causes, each with its own, as Node prints them. None where the host formats stacks itself (`Error.prepareStackTrace`), since
 * reading one would run that. Never throws. Once it is read, what the host changes in the error's message is not in its stack any more.
 */
export function stackWithCauses(error: unknown, causes = MAX_CAUSES): string | undefined {
  try {
    if (typeof error !== 'object' || error === null || isProxy(error)) return undefined;
    const own = errorStack(error);
    const stack = own && excerpt(own, STACK_LENGTH);
    const cause = getOwnPropertyDescriptor(error, 'cause');
    if (causes === 0 || cause === undefined || !hasOwn(cause, 'value')) return stack;
    const line = stackWithCauses(cause.value, causes - 1) ?? formatHead(cause.value);
    return stack === undefined ? `[cause]: ${line}` : `${stack}\n[cause]: ${line}`;
  } catch {
    return undefined;
  }
}

function formatHead(error: unknown): string {
  const { name, message } = describeError(error);
  return name === undefined ? message : `${name}: ${message}`;
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
  // V8 writes a stack out when it is first read: with the error's name and message, and by the host's own function if there is one.
  if (isNativeError(error) && (hostFormatsStacks(error) || !isQuiet(error))) return undefined;
  const descriptor = getOwnPropertyDescriptor(error, 'stack');
  if (descriptor === undefined) return undefined;
  if (hasOwn(descriptor, 'value')) return typeof descriptor.value === 'string' ? descriptor.value : undefined;
  if (nativeStackGetter === undefined || descriptor.get !== nativeStackGetter) return undefined;
  const stack = readStack(error);
  return typeof stack === 'string' ? stack : undefined;
}

/** True if V8 writes the head of a stack without running code of the host. */
function isQuiet(error: object): boolean {
  return isQuietText(error, 'name') && isQuietText(error, 'message');
}

function isQuietText(error: object, key: 'message' | 'name'): boolean {
  let link: object | null = error;
  for (let steps = 0; link !== null && steps < MAX_CHAIN; steps++) {
    if (isProxy(link)) return false;
    const descriptor = getOwnPropertyDescriptor(link, key);
    if (descriptor !== undefined) {
      if (!hasOwn(descriptor, 'value')) return domExceptionText(error, key) !== undefined;
      const { value } = descriptor;
      if (typeof value === 'object' && value !== null) return key === 'message' && isQuietObject(value);
      return typeof value !== 'function';
    }
    link = getPrototypeOf(link);
  }
  return link === null;
}

function hostFormatsStacks(error: object): boolean {
  const descriptor = getOwnPropertyDescriptor(errorConstructor, 'prepareStackTrace');
  if (descriptor === undefined) return false;
  if (!hasOwn(descriptor, 'value')) return true;
  const format: unknown = descriptor.value;
  // Node ignores a value that is no function; some libraries leave undefined there.
  if (typeof format !== 'function') return false;
  if (isProxy(format)) return true;
  // Node's own default is a function of this name.
  if (functionName(format) === 'ErrorPrepareStackTrace') return false;
  return !(isSourceMapSupport(format) && isPlain(error));
}

/** The hook of ts-node and similar tools, which finds the author's places and reads only name, message and code of the error. */
function isSourceMapSupport(format: object): boolean {
  return (
    functionName(format) === 'prepareStackTrace' && includesText(functionSource(format), 'wrapCallSite(')
  );
}

/** True if name, message and code can be read without running code of the host. */
function isPlain(error: object): boolean {
  const code = getOwnPropertyDescriptor(error, 'code');
  return (
    errorText(error, 'name') !== undefined &&
    errorText(error, 'message') !== undefined &&
    (code === undefined || hasOwn(code, 'value'))
  );
}
