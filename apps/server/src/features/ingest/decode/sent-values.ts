import type { CapturedValue } from '@throughline/contract/values';

/** Any value that JSON.parse returns. Invalid encoded values are treated as ordinary objects. */
type Json = CapturedValue;

/** Returns a member of parsed JSON as it was sent, by name or array index; undefined if there is none. */
export function getMember(parent: unknown, key: string | number): Json | undefined {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key)) return undefined;
  const member: unknown = Reflect.get(parent, key);
  // Callers only pass results of JSON.parse, so the member is JSON.
  return member as Json;
}

/** Like {@link getMember}, but for a member that is an object or null in every trace that passes the contract's checks. */
export function getFields(parent: unknown, key: string): { readonly [name: string]: Json } | undefined {
  const member = getMember(parent, key);
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return undefined;
  return member as { readonly [name: string]: Json };
}
