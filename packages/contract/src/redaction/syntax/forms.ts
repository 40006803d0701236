import { type CapturedValue, isTagged } from '../../values.ts';

export type Fields = { readonly [key: string]: CapturedValue };

/** `JSON.isRawJSON` is part of ES2026, which neither TypeScript's libraries nor Node 20 include yet. */
const { isRawJSON } = JSON as typeof JSON & { isRawJSON?(value: unknown): boolean };

/** Returns the digits of a number stored with `JSON.rawJSON` because a double cannot represent it. */
export function readExactNumber(value: Fields): string | undefined {
  if (!('rawJSON' in value) || isRawJSON?.(value) !== true) return undefined;
  return String(value.rawJSON);
}

/** Tagged forms that reveal nothing about a value's content. They are never hidden, regardless of the name. */
export const WITHOUT_CONTENT: ReadonlySet<string> = new Set([
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

/** Maximum of a count. A larger number under a name such as `accessTokens` is treated as a token. */
const MAX_COUNT = 10_000_000;

/** True if a value under the plural of a secret's name is a count of secrets. */
export function isCount(value: unknown): boolean {
  return typeof value === 'number' && value < MAX_COUNT;
}

export function hasNoContent(value: CapturedValue): boolean {
  if (value === null || typeof value === 'boolean') return true;
  return isTagged(value) && WITHOUT_CONTENT.has(value.$type);
}

export function isRedacted(value: CapturedValue): boolean {
  return typeof value === 'object' && value !== null && !isList(value) && value.$type === 'redacted';
}

/** True for a value of this type that an earlier redaction has hidden. */
export function isHidden(value: CapturedValue, type: string): boolean {
  return isTagged(value) && value.$type === 'redacted' && value.of === type;
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

/** Builds an object from its members. Keeps `__proto__`, which a plain assignment would lose, and adds numbers to duplicate names. */
export function buildObject(members: readonly (readonly [string, CapturedValue])[]): Fields {
  const fields: { [key: string]: CapturedValue } = {};
  for (const [name, value] of members) {
    let key = name;
    for (let copy = 2; Object.hasOwn(fields, key); copy++) key = `${name} ${copy}`;
    Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return fields;
}
