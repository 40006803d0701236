import { types } from 'node:util';

/**
 * The language's built-in functions, saved when the SDK was loaded. Calling a saved function looks up nothing on host objects or on
 * prototypes that the host may have changed. Getters such as that of `Map.prototype.size` read internal slots, so they work for objects of
 * other realms, too.
 */

/** Returns a function that passes its first argument to `fn` as `this`. */
function uncurry<T, A extends unknown[], R>(
  fn: (this: T, ...args: A) => R,
): (self: unknown, ...args: A) => R {
  return Function.prototype.call.bind(fn);
}

/**
 * Returns a function of one argument, which calls the getter `name` of `prototype` with this argument as `this`. If this Node version has
 * no such getter, the function returns undefined.
 */
function uncurryGetter(prototype: object, name: PropertyKey): (self: unknown) => unknown {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return get ? uncurry<unknown, [], unknown>(get) : () => undefined;
}

function uncurryOwnMethod(
  prototype: object,
  name: string,
): ((this: Buffer, text: string, offset: number, length: number) => number) | undefined {
  const method: unknown = Reflect.get(prototype, name);
  return isWriter(method) ? method : undefined;
}

function isWriter(
  method: unknown,
): method is (this: Buffer, text: string, offset: number, length: number) => number {
  return typeof method === 'function';
}

export const {
  create,
  defineProperty,
  getOwnPropertyDescriptor,
  getOwnPropertyNames: ownNames,
  getOwnPropertySymbols,
  getPrototypeOf,
  hasOwn,
  keys: objectKeys,
  prototype: objectPrototype,
} = Object;
export const objectToString: unknown = Object.prototype.toString;
/**
 * Returns the own or inherited getter that reading a property would call, if there is one. Searches the object's prototypes. None of them
 * may be a proxy.
 */
export const lookUpGetter: (self: object, key: PropertyKey) => unknown = lookUp();

function lookUp(): (self: object, key: PropertyKey) => unknown {
  const method: unknown = Reflect.get(Object.prototype, '__lookupGetter__');
  return typeof method === 'function' ? Function.prototype.call.bind(method) : () => method;
}

export const { isArray, prototype: arrayPrototype } = Array;
export const { isNaN: isNotANumber } = Number;
export const { get: reflectGet } = Reflect;
/** Must be called only with strings, for which JSON.stringify looks up no `toJSON`. */
export const stringifyJson: (text: string) => string = JSON.stringify;
export const bigintAsIntN = BigInt.asIntN;

export const {
  isAnyArrayBuffer,
  isBoxedPrimitive,
  isDataView,
  isDate,
  isMap,
  isNativeError,
  isNumberObject,
  isProxy,
  isRegExp,
  isSet,
  isSharedArrayBuffer,
  isStringObject,
  isBooleanObject,
  isBigIntObject,
  isTypedArray,
  isUint8Array,
} = types;

export const charCodeAt = uncurry(String.prototype.charCodeAt);
export const sliceString = uncurry(String.prototype.slice);
export const bigintToString = uncurry(BigInt.prototype.toString);
export const symbolDescription = uncurryGetter(Symbol.prototype, 'description');

export const mapGet: <K, V>(map: Map<K, V>, key: K) => V | undefined = uncurry(Map.prototype.get);
export const mapSet: <K, V>(map: Map<K, V>, key: K, value: V) => void = uncurry(Map.prototype.set);
export const mapSize = uncurryGetter(Map.prototype, 'size');
export const mapEntries = uncurry(Map.prototype.entries);
export const mapNext = uncurry<unknown, [], IteratorResult<[unknown, unknown]>>(new Map().entries().next);
export const weakGet: <V>(map: WeakMap<object, V>, key: object) => V | undefined = uncurry(
  WeakMap.prototype.get,
);
export const weakSet: <V>(map: WeakMap<object, V>, key: object, value: V) => void = uncurry(
  WeakMap.prototype.set,
);
export const setHas: <T>(set: ReadonlySet<T>, value: T) => boolean = uncurry(Set.prototype.has);
export const setAdd: <T>(set: Set<T>, value: T) => void = uncurry(Set.prototype.add);
export const setSize = uncurryGetter(Set.prototype, 'size');
export const setValues = uncurry(Set.prototype.values);
export const setNext = uncurry<unknown, [], IteratorResult<unknown>>(new Set().values().next);

export const dateTime = uncurry(Date.prototype.getTime);
export const dateToIso = uncurry(Date.prototype.toISOString);

export const regexpSource = uncurryGetter(RegExp.prototype, 'source');
/**
 * Getters of the single flags of a regular expression. Used in place of the `flags` getter, which reads the flags as properties of the
 * object, where the host can define them.
 */
export const regexpFlags: readonly (readonly [flag: string, get: (self: unknown) => unknown])[] = [
  ['d', uncurryGetter(RegExp.prototype, 'hasIndices')],
  ['g', uncurryGetter(RegExp.prototype, 'global')],
  ['i', uncurryGetter(RegExp.prototype, 'ignoreCase')],
  ['m', uncurryGetter(RegExp.prototype, 'multiline')],
  ['s', uncurryGetter(RegExp.prototype, 'dotAll')],
  ['u', uncurryGetter(RegExp.prototype, 'unicode')],
  ['v', uncurryGetter(RegExp.prototype, 'unicodeSets')],
  ['y', uncurryGetter(RegExp.prototype, 'sticky')],
];

const typedArray: object = Object.getPrototypeOf(Uint8Array.prototype);
export const typedArrayLength = uncurryGetter(typedArray, 'length');
export const dataViewBuffer = uncurryGetter(DataView.prototype, 'buffer');
export const dataViewOffset = uncurryGetter(DataView.prototype, 'byteOffset');
export const dataViewLength = uncurryGetter(DataView.prototype, 'byteLength');
export const arrayBufferLength = uncurryGetter(ArrayBuffer.prototype, 'byteLength');
export const sharedBufferLength = uncurryGetter(SharedArrayBuffer.prototype, 'byteLength');
export const ByteArray = Uint8Array;
export const bufferFrom = Buffer.from;
export const setBytes: (self: Uint8Array, source: Uint8Array, offset: number) => void = uncurry(
  Uint8Array.prototype.set,
);
export const copyWithinBytes: (self: Uint8Array, target: number, start: number, end: number) => void =
  uncurry(Uint8Array.prototype.copyWithin);
export const copyBuffer: (
  self: Buffer,
  target: Buffer,
  targetStart: number,
  start: number,
  end: number,
) => void = uncurry(Buffer.prototype.copy);
/**
 * Writes `text` as UTF-8 and returns the number of bytes written. If Node exposes the internal function that `write` calls, uses it, which
 * takes half the time for short strings.
 */
export const utf8Write: (self: Buffer, text: string, offset: number, length: number) => number = uncurry(
  uncurryOwnMethod(Buffer.prototype, 'utf8Write') ?? Buffer.prototype.write,
);
/** Allocates memory outside of Buffer's pool, because the host also uses the memory of the pool. */
export const allocateBuffer = Buffer.allocUnsafeSlow;
export const bufferToString: (
  self: Buffer,
  encoding: BufferEncoding,
  start?: number,
  end?: number,
) => string = uncurry(Buffer.prototype.toString);

export const unboxNumber = uncurry(Number.prototype.valueOf);
export const unboxString = uncurry(String.prototype.valueOf);
export const unboxBoolean = uncurry(Boolean.prototype.valueOf);
export const unboxBigint = uncurry(BigInt.prototype.valueOf);
export const unboxSymbol = uncurry(Symbol.prototype.valueOf);

/**
 * Getters of Node's classes whose data is only accessible through getters. Each getter throws if its argument is not an instance of the
 * class.
 */
export const urlHref = uncurryGetter(URL.prototype, 'href');
export const domExceptionMessage = uncurryGetter(DOMException.prototype, 'message');
export const domExceptionName = uncurryGetter(DOMException.prototype, 'name');

export const functionSource = uncurry(Function.prototype.toString);
export const includesText = uncurry(String.prototype.includes);

export const errorConstructor = Error;
/** V8 gives each error an own `stack` accessor with this getter. Up to Node 20, `stack` is a data property, so this is undefined. */
export const nativeStackGetter = getOwnPropertyDescriptor(new Error('probe'), 'stack')?.get;
export const readStack = nativeStackGetter
  ? uncurry<unknown, [], unknown>(nativeStackGetter)
  : () => undefined;
