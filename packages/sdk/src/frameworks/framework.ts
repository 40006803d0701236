/** A file of a framework that we must see as it is loaded. */
export interface FrameworkFile {
  /** The names in the package's own package.json, even if it is installed under an alias. */
  readonly packages: readonly string[];
  /** The file's own name, such as `layer.js`. */
  readonly file: string;
  /** Stands in the file's path, where too many files have its name for each one's package to be looked up. */
  readonly folder?: string;
  /** True if the exports have the right shape. Called first, since most files of that name belong to other packages, which must not be changed. */
  couldBe(exported: unknown): boolean;
  /**
   * Watches what the file exports, where it looks as we know it. What it returns, if anything, takes the exports' place: that is possible in
   * CommonJS alone.
   */
  watch(exported: unknown): unknown;
}

type AnyFunction = (...args: unknown[]) => unknown;

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

/** A class that a module exports under `name`, by its prototype, where that has all the methods. */
export function getPrototype(
  exported: unknown,
  name: string,
  methods: readonly string[],
): Record<string, AnyFunction> | undefined {
  if (typeof exported !== 'object' || exported === null) return undefined;
  const made: unknown = Reflect.get(exported, name);
  if (typeof made !== 'function') return undefined;
  const prototype: unknown = made.prototype;
  return hasMethods(prototype, methods) ? prototype : undefined;
}

export function hasMethods(value: unknown, methods: readonly string[]): value is Record<string, AnyFunction> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    methods.every((method) => typeof Reflect.get(value, method) === 'function')
  );
}

/**
 * `watched` in the looks of `original`: its name, its number of parameters (frameworks tell kinds of functions by it), and for an async function
 * the prototype of one.
 */
export function lookingLike<T extends AnyFunction>(original: AnyFunction, watched: T): T {
  Object.defineProperties(watched, {
    name: { value: original.name, configurable: true },
    length: { value: original.length, configurable: true },
  });
  const prototype: unknown = Object.getPrototypeOf(original);
  if (prototype !== Function.prototype) Reflect.setPrototypeOf(watched, Object(prototype));
  return watched;
}
