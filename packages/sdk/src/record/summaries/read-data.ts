import { getOwnPropertyDescriptor, getPrototypeOf, hasOwn, isProxy } from '../writer/primordials.ts';

/** Maximum number of prototypes that are searched. The classes of real programs have fewer, but a chain can be practically endless. */
export const MAX_CHAIN = 32;

/**
 * Returns the value at a path of own or inherited data properties; undefined if a property is missing or an accessor, or an object is a
 * proxy.
 */
export function readDataAt(object: object, path: readonly string[]): unknown {
  let value: unknown = object;
  for (let index = 0; index < path.length; index++) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = readDataProperty(value, path[index] ?? '');
  }
  return value;
}

function readDataProperty(object: object, name: string): unknown {
  let link: object | null = object;
  for (let steps = 0; link !== null && steps < MAX_CHAIN && !isProxy(link); steps++) {
    const descriptor = getOwnPropertyDescriptor(link, name);
    if (descriptor !== undefined) return hasOwn(descriptor, 'value') ? descriptor.value : undefined;
    link = getPrototypeOf(link);
  }
  return undefined;
}
