import { formatMessageObject, isQuietObject } from '../errors/message-object.ts';
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
  isArray,
  isNativeError,
  isProxy,
  nativeStackGetter,
  readStack,
} from '../writer/primordials.ts';
import { findClassName, readFunctionName, readOwnData } from './class-kind.ts';
import { type Shorten, shortenText } from './text.ts';

/**
 * Maximum length of an error's message. It is longer than the default limit of other strings, because a message usually contains more
 * information.
 */
export const MESSAGE_LENGTH = 1000;
const STACK_LENGTH = 4000;
const MAX_CHAIN = 32;
/** Maximum number of causes shown in an error's stack. */
const MAX_CAUSES = 5;

/** Describes a thrown value without its stack. Runs no code of the host. Never throws, whatever the value is. */
export function describeError(error: unknown, shorten: Shorten): StepError {
  try {
    const message = describeMessage(error, shorten);
    if (typeof error !== 'object' || error === null || isProxy(error)) return { message };
    if (findMessageObject(error) !== undefined) return describeWithObject(error, message, shorten);
    const name = readErrorText(error, 'name');
    // GraphQL errors have their code in `extensions`.
    const code = readOwnData(error, 'code') ?? readCode(readOwnData(error, 'extensions'));
    return {
      message,
      ...(name !== undefined && { name: shortenText(name, 100, shorten) }),
      ...((typeof code === 'string' || typeof code === 'number') && {
        code: shortenText(`${code}`, 100, shorten),
      }),
    };
  } catch {
    return { message: 'an error that cannot be described was thrown' };
  }
}

/**
 * Describes an error whose message is an object, as some frameworks create them. Shows the class's name in place of the default name
 * `Error`, and the status if the error has no code.
 */
function describeWithObject(error: object, message: string, shorten: Shorten): StepError {
  const said = readErrorText(error, 'name');
  const name = said === undefined || said === 'Error' ? findClassName(getPrototypeOf(error)) : said;
  const code = readOwnData(error, 'code') ?? readOwnData(error, 'status') ?? readOwnData(error, 'statusCode');
  return {
    message,
    name: shortenText(name, 100, shorten),
    ...((typeof code === 'string' || typeof code === 'number') && {
      code: shortenText(`${code}`, 100, shorten),
    }),
  };
}

function readCode(extensions: unknown): unknown {
  return typeof extensions === 'object' && extensions !== null && !isProxy(extensions)
    ? readOwnData(extensions, 'code')
    : undefined;
}

function findMessageObject(error: object): object | undefined {
  const message = readOwnData(error, 'message');
  return typeof message === 'object' && message !== null ? message : undefined;
}

function describeMessage(error: unknown, shorten: Shorten): string {
  if (typeof error !== 'object' || error === null) return describePrimitive(error, shorten);
  if (isProxy(error)) return 'a Proxy was thrown';
  const object = findMessageObject(error);
  if (object !== undefined) return shortenText(formatMessageObject(object, shorten), MESSAGE_LENGTH, shorten);
  const text = readErrorText(error, 'message') ?? 'an object without a message was thrown';
  const reasons = findReasons(error);
  const whole = reasons === undefined ? text : `${text}: ${formatMessageObject(reasons, shorten)}`;
  return shortenText(whole, MESSAGE_LENGTH, shorten);
}

/** Returns the list of reasons of a Nest exception, whose own message is then only the name of its class. */
function findReasons(error: object): object | undefined {
  const response = readOwnData(error, 'response');
  if (typeof response !== 'object' || response === null || isProxy(response)) return undefined;
  const reasons = readOwnData(response, 'message');
  return isArray(reasons) && !isProxy(reasons) ? reasons : undefined;
}

/** True if the error still has the recorded message, or if its message cannot be read. Never throws. */
export function hasSameMessage(error: unknown, said: StepError, shorten: Shorten): boolean {
  try {
    return describeMessage(error, shorten) === said.message;
  } catch {
    return true;
  }
}

/**
 * Returns an error's stack followed by its causes with their stacks, as Node prints them. Leaves out the stacks if the host formats stacks
 * itself (`Error.prepareStackTrace`), since reading a stack would run the host's function. `thrown` is the cause that the error had when
 * it was thrown; it is shown if the host has deleted the cause since. Returns undefined if nothing can be read. Never throws. After this
 * call, V8 no longer updates the stack when the host changes the error's message.
 */
export function formatStackWithCauses(
  error: unknown,
  shorten: Shorten,
  thrown?: PropertyDescriptor,
  causes = MAX_CAUSES,
): string | undefined {
  try {
    if (typeof error !== 'object' || error === null || isProxy(error)) return undefined;
    const own = readErrorStack(error);
    const stack = own && shortenText(own, STACK_LENGTH, shorten);
    const cause = findCause(error) ?? thrown;
    if (causes === 0 || cause === undefined || !hasOwn(cause, 'value')) return stack;
    const line =
      formatStackWithCauses(cause.value, shorten, undefined, causes - 1) ?? formatHead(cause.value, shorten);
    return stack === undefined ? `[cause]: ${line}` : `${stack}\n[cause]: ${line}`;
  } catch {
    return undefined;
  }
}

/** Returns the property with an error's cause. Runs no code of the host. */
export function findCause(error: unknown): PropertyDescriptor | undefined {
  return typeof error === 'object' && error !== null && !isProxy(error)
    ? getOwnPropertyDescriptor(error, 'cause')
    : undefined;
}

function formatHead(error: unknown, shorten: Shorten): string {
  const { name, message } = describeError(error, shorten);
  return name === undefined ? message : `${name}: ${message}`;
}

function describePrimitive(thrown: unknown, shorten: Shorten): string {
  switch (typeof thrown) {
    case 'string':
      return shortenText(thrown, MESSAGE_LENGTH, shorten);
    case 'function':
      return `function ${isProxy(thrown) ? '' : readFunctionName(thrown)} was thrown`;
    case 'symbol':
      return 'a symbol was thrown';
    case 'bigint':
      return 'a bigint was thrown';
    default:
      return `${thrown}`;
  }
}

/**
 * Returns the message or name of an error, if it is a data property of the error or of its class, or if the error is a DOMException.
 * Otherwise returns undefined.
 */
export function readErrorText(object: object, key: 'message' | 'name'): string | undefined {
  let link: object | null = object;
  for (let steps = 0; link !== null && steps < MAX_CHAIN && !isProxy(link); steps++) {
    const descriptor = getOwnPropertyDescriptor(link, key);
    if (descriptor !== undefined) {
      if (!hasOwn(descriptor, 'value')) return readDomExceptionText(object, key);
      return typeof descriptor.value === 'string' ? descriptor.value : undefined;
    }
    link = getPrototypeOf(link);
  }
  return undefined;
}

function readDomExceptionText(object: object, key: 'message' | 'name'): string | undefined {
  try {
    const text = key === 'message' ? domExceptionMessage(object) : domExceptionName(object);
    return typeof text === 'string' ? text : undefined;
  } catch {
    // The object is not a DOMException, so the accessor would run code of the host.
    return undefined;
  }
}

/** Returns the stack; undefined if there is none or if reading it could run host code. */
export function readErrorStack(error: object): string | undefined {
  // V8 formats a stack when the stack is first accessed. For this, V8 reads the error's name and message, and calls the host's formatting
  // function if there is one.
  if (isNativeError(error) && (doesHostFormatStacks(error) || !isQuiet(error))) return undefined;
  const descriptor = getOwnPropertyDescriptor(error, 'stack');
  // Some hosts delete the stack before they send the error. V8 still has the stack.
  if (descriptor === undefined) return isNativeError(error) ? readNativeStack(error) : undefined;
  if (hasOwn(descriptor, 'value')) return typeof descriptor.value === 'string' ? descriptor.value : undefined;
  if (nativeStackGetter === undefined || descriptor.get !== nativeStackGetter) return undefined;
  return readNativeStack(error);
}

function readNativeStack(error: object): string | undefined {
  const stack = readStack(error);
  return typeof stack === 'string' ? stack : undefined;
}

/** True if V8 can format the first line of a stack without running host code. */
function isQuiet(error: object): boolean {
  return isQuietText(error, 'name') && isQuietText(error, 'message');
}

function isQuietText(error: object, key: 'message' | 'name'): boolean {
  let link: object | null = error;
  for (let steps = 0; link !== null && steps < MAX_CHAIN; steps++) {
    if (isProxy(link)) return false;
    const descriptor = getOwnPropertyDescriptor(link, key);
    if (descriptor !== undefined) {
      if (!hasOwn(descriptor, 'value')) return readDomExceptionText(error, key) !== undefined;
      const { value } = descriptor;
      if (typeof value === 'object' && value !== null) return key === 'message' && isQuietObject(value);
      return typeof value !== 'function';
    }
    link = getPrototypeOf(link);
  }
  return link === null;
}

function doesHostFormatStacks(error: object): boolean {
  const descriptor = getOwnPropertyDescriptor(errorConstructor, 'prepareStackTrace');
  if (descriptor === undefined) return false;
  if (!hasOwn(descriptor, 'value')) return true;
  const format: unknown = descriptor.value;
  // Node ignores a value that is not a function. Some libraries set `prepareStackTrace` to undefined.
  if (typeof format !== 'function') return false;
  if (isProxy(format)) return true;
  // A function of this name is Node's default formatting function.
  if (readFunctionName(format) === 'ErrorPrepareStackTrace') return false;
  return !(isSourceMapSupport(format) && isPlain(error));
}

/**
 * True for the formatting function of ts-node and similar tools. Such a function maps source positions, and reads only the error's name,
 * message and code.
 */
function isSourceMapSupport(format: object): boolean {
  return (
    readFunctionName(format) === 'prepareStackTrace' && includesText(functionSource(format), 'wrapCallSite(')
  );
}

/** True if name, message and code can be read without running host code. */
function isPlain(error: object): boolean {
  const code = getOwnPropertyDescriptor(error, 'code');
  return (
    readErrorText(error, 'name') !== undefined &&
    readErrorText(error, 'message') !== undefined &&
    (code === undefined || hasOwn(code, 'value'))
  );
}
