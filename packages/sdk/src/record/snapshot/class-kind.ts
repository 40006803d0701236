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

/** Kinds of objects. `object` stands for arrays, plain objects, and instances of all classes that have no kind of their own. */
export type Kind = 'Map' | 'Set' | 'Date' | 'RegExp' | 'Error' | 'binary' | 'boxed' | 'object';

/**
 * Detects the kind by internal slots, so that a forged prototype or an object of another realm is recognized correctly. `name` is the name
 * of the object's class. Must not be called with a proxy.
 */
export function detectKind(value: object, name: string): Kind {
  if (isMap(value)) return 'Map';
  if (isSet(value)) return 'Set';
  if (isDate(value)) return 'Date';
  if (isNativeError(value)) return 'Error';
  if (isTypedArray(value) || isAnyArrayBuffer(value) || isDataView(value)) return 'binary';
  if (isRegExp(value)) return 'RegExp';
  if (isBoxedPrimitive(value)) return 'boxed';
  // Up to Node 20, a DOMException is not a native error.
  return name === 'DOMException' ? 'Error' : 'object';
}

/** Returns the value of an own data property; undefined for a missing property and for accessors, which are never called. */
export function readOwnData(object: object, key: PropertyKey): unknown {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && hasOwn(descriptor, 'value') ? descriptor.value : undefined;
}

/** Returns a function's name from the function's own data property. Returns '' if there is no such property. */
export function readFunctionName(fn: object): string {
  const name = readOwnData(fn, 'name');
  return typeof name === 'string' ? label(name) : '';
}

/** Maximum number of prototypes that are searched. The classes of real programs have fewer, but a chain can be practically endless. */
const MAX_CHAIN = 32;
const names = new WeakMap<object, string>();
const getName = names.get.bind(names);
const setName = names.set.bind(names);

/** Returns the name of the class whose instances have this prototype; 'Object' if the chain has no class name. */
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
    const maker = readOwnData(link, 'constructor');
    if (typeof maker === 'function' && !isProxy(maker)) {
      const name = readFunctionName(maker);
      if (name !== '') return name;
    }
    link = getPrototypeOf(link);
  }
  return 'Object';
}
