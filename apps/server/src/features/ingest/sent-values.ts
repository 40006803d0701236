import type { CapturedValue } from '@throughline/contract/values';

/** Anything that JSON.parse made. Forms that are not quite ours are carried like any other object. */
type Json = CapturedValue;

/** A member of parsed JSON as it was sent, of an object or, by position, of an array; undefined where there is none. */
export function getMember(parent: unknown, key: string | number): Json | undefined {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key)) return undefined;
  const member: unknown = Reflect.get(parent, key);
  // Only ever called on what JSON.parse returned, which holds nothing but JSON.
  return member as Json;
}

/** {@link getMember} where the contract has made sure of an object, or null. */
export function getFields(parent: unknown, key: string): { readonly [name: string]: Json } | undefined {
  const member = getMember(parent, key);
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return undefined;
  return member as { readonly [name: string]: Json };
}
