import { type CapturedValue, isTagged } from '../../values.ts';

export type Fields = { readonly [key: string]: CapturedValue };

/** ES2026; TypeScript's libraries do not have it yet, nor does Node 20. */
const { isRawJSON } = JSON as typeof JSON & { isRawJSON?(value: unknown): boolean };

/** The digits of a number that was read with `JSON.rawJSON`, since no double holds it. */
export function exactNumber(value: Fields): string | undefined {
  if (!('rawJSON' in value) || isRawJSON?.(value) !== true) return undefined;
  return String(value.rawJSON);
}

/** Forms that say nothing of the value's contents: they stay, whatever the name that they stand under. */
export const SAY_NOTHING: ReadonlySet<string> = new Set([
  'undefined',
  'number',
  'function',
  'hole',
  'accessor',
  'proxy',
  'cut',
  'reference',
  'redacted',
]);

/** A larger number under a name such as `accessTokens` is one of them rather than how many there are. */
const MAX_COUNT = 10_000_000;

/** Returns true where a value under the plural of a secret's name is a count. */
export function isCount(value: unknown): boolean {
  return typeof value === 'number' && value < MAX_COUNT;
}

export function saysNothing(value: CapturedValue): boolean {
  if (value === null || typeof value === 'boolean') return true;
  return isTagged(value) && SAY_NOTHING.has(value.$type);
}

export function findType(value: CapturedValue): string {
  if (typeof value !== 'object' || value === null) return typeof value;
  if (isList(value)) return 'array';
  if (!isTagged(value)) return 'object';
  const named = 'class' in value && typeof value.class === 'string' ? value.class : value.$type;
  return named.slice(0, 100);
}

export function isList(value: CapturedValue): value is readonly CapturedValue[] {
  return Array.isArray(value);
}

/** The members as an object; a plain assignment to `__proto__` would be lost. A name that is there already is numbered. */
export function buildObject(members: readonly (readonly [string, CapturedValue])[]): Fields {
  const fields: { [key: string]: CapturedValue } = {};
  for (const [name, value] of members) {
    let key = name;
    for (let copy = 2; Object.hasOwn(fields, key); copy++) key = `${name} ${copy}`;
    Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return fields;
}
