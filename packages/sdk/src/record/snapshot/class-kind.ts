import {
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isAnyArrayBuffer,
  isBoxedPrimitive,
  isDataView,
  isDate,
  isMap,
  isNativeError,
  isProxy,
  isRegExp,
  isSet,
  isTypedArray,
} from '../writer/primordials.ts';
import { label } from './text.ts';

/** The kinds of objects that are neither arrays nor plain. */
export type Kind = 'Map' | 'Set' | 'Date' | 'RegExp' | 'Error' | 'binary' | 'boxed' | 'object';

/** By internal slots, so neither a forged prototype nor another realm misleads it; `name` is its class's. Never call it with a proxy. */
export function detectKind(value: object, name: string): Kind {
  if (isMap(value)) return 'Map';
  if (isSet(value)) return 'Set';
  if (isDate(value)) return 'Date';
  if (isNativeError(value)) return 'Error';
  if (isTypedArray(value) || isAnyArrayBuffer(value) || isDataView(value)) return 'binary';
  if (isRegExp(value)) return 'RegExp';
  if (isBoxedPrimitive(value)) return 'boxed';
  // Not a native error up to Node 20.
  return name === 'DOMException' ? 'Error' : 'object';
}

/** The value of an own data property; undefined for accessors, which are never read, and where there is none. */
export function ownData(object: object, key: PropertyKey): unknown {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && hasOwn(descriptor, 'value') ? descriptor.value : undefined;
}

/** A function's name as its own data property says it, or ''. */
export function functionName(fn: object): string {
  const name = ownData(fn, 'name');
  return typeof name === 'string' ? label(name) : '';
}

/** A prototype chain may be endless in practice, never in a class that a person wrote. */
const MAX_CHAIN = 32;
const names = new WeakMap<object, string>();
const getName = names.get.bind(names);
const setName = names.set.bind(names);

/** The name of the class whose instances have this prototype; 'Object' when nothing on the chain says otherwise. */
export function findClassName(prototype: object | null): string {
  if (prototype === null) return 'Object';
  const known = getName(prototype);
  if (known !== undefined) return known;
  const name = findName(prototype);
  setName(prototype, name);
  return name;
}

function findName(prototype: object): string {
  let link: object | null = prototype;
  for (let steps = 0; link !== null && steps < MAX_CHAIN; steps++) {
    if (isProxy(link)) break;
    const maker = ownData(link, 'constructor');
    if (typeof maker === 'function' && !isProxy(maker)) {
      const name = functionName(maker);
      if (name !== '') return name;
    }
    link = getPrototypeOf(link);
  }
  return 'Object';
}
