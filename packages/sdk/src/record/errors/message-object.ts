import { readFunctionName } from '../snapshot/class-kind.ts';
import { type Shorten, shortenText } from '../snapshot/text.ts';
import {
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isProxy,
  objectKeys,
  objectPrototype,
  objectToString,
  stringifyJson,
} from '../writer/primordials.ts';

const MAX_DEPTH = 3;
const MAX_MEMBERS = 20;
const MAX_TEXT = 200;

/** Formats an object as one line of JSON, for an error whose message is this object. Includes only data properties. */
export function formatMessageObject(value: object, shorten: Shorten, depth = 0): string {
  if (isProxy(value)) return '"…"';
  const list = isArray(value);
  if (depth >= MAX_DEPTH) return list ? '[…]' : '{…}';
  const keys = objectKeys(value);
  let text = '';
  for (let index = 0; index < keys.length && index < MAX_MEMBERS; index++) {
    const key = keys[index] ?? '';
    if (index > 0) text += ',';
    if (!list) text += `${stringifyJson(shortenText(key, MAX_TEXT, shorten))}:`;
    text += formatPart(value, key, shorten, depth);
  }
  if (keys.length > MAX_MEMBERS) text += ',…';
  return list ? `[${text}]` : `{${text}}`;
}

function formatPart(owner: object, key: string, shorten: Shorten, depth: number): string {
  const descriptor = getOwnPropertyDescriptor(owner, key);
  if (descriptor === undefined || !hasOwn(descriptor, 'value')) return '"…"';
  const { value }: { value?: unknown } = descriptor;
  switch (typeof value) {
    case 'string':
      return stringifyJson(shortenText(value, MAX_TEXT, shorten));
    case 'object':
      return value === null ? 'null' : formatMessageObject(value, shorten, depth + 1);
    case 'number':
    case 'boolean':
      return `${value}`;
    case 'function':
      return stringifyJson(isProxy(value) ? 'function' : `function ${readFunctionName(value)}`);
    default:
      return stringifyJson(typeof value);
  }
}

/** True if the language converts this object to `[object Object]` without running host code. */
export function isQuietObject(value: object): boolean {
  return (
    !isProxy(value) &&
    !isArray(value) &&
    getPrototypeOf(value) === objectPrototype &&
    isUntouched(value) &&
    !hasOwn(value, 'toString') &&
    isUntouched(objectPrototype) &&
    getOwnPropertyDescriptor(objectPrototype, 'toString')?.value === objectToString
  );
}

function isUntouched(object: object): boolean {
  return !hasOwn(object, Symbol.toPrimitive) && !hasOwn(object, Symbol.toStringTag);
}
