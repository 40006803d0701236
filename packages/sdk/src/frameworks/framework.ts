/** A framework's file that the SDK patches when the file is loaded. */
export interface FrameworkFile {
  /** Names from the package's own package.json, even if the package is installed under an alias. */
  readonly packages: readonly string[];
  /** The file's own name, such as `layer.js`. */
  readonly file: string;
  /** A folder in the file's path. Set if the file name is so common that looking up each file's package would take too long. */
  readonly folder?: string;
  /**
   * True if the exports have the expected shape. Checked before `packages`: most files named `file` belong to other packages, and looking
   * up a file's package takes time.
   */
  couldBe(exported: unknown): boolean;
  /** Patches the file's exports if they look as expected. In CommonJS, a returned value replaces the exports. */
  patch(exported: unknown): unknown;
}

type AnyFunction = (...args: unknown[]) => unknown;

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

/** Returns the prototype of the class that a module exports under `name`, if the prototype has all the methods. */
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
 * Makes `wrapper` look like `original`: the same name, the same number of parameters (by which frameworks distinguish
 * functions), and for an async function the same prototype.
 */
export function makeAlike<T extends AnyFunction>(original: AnyFunction, wrapper: T): T {
  Object.defineProperties(wrapper, {
    name: { value: original.name, configurable: true },
    length: { value: original.length, configurable: true },
  });
  const prototype: unknown = Object.getPrototypeOf(original);
  if (prototype !== Function.prototype) Reflect.setPrototypeOf(wrapper, Object(prototype));
  return wrapper;
}
