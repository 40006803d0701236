/** True for objects, arrays included, but not for functions. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isObjectOrFunction(value: unknown): value is object {
  return isObject(value) || typeof value === 'function';
}
