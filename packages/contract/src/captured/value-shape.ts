import { type CapturedValue, isTagged, type TaggedValue } from '../values.ts';

type Check = (part: unknown) => boolean;
const text: Check = (part) => typeof part === 'string';
const textOrNull: Check = (part) => part === null || typeof part === 'string';
const size: Check = (part) => typeof part === 'number';
const list: Check = Array.isArray;
const pairs: Check = (part) =>
  Array.isArray(part) && part.every((pair) => Array.isArray(pair) && pair.length === 2);
const properties: Check = (part) => typeof part === 'object' && part !== null && !Array.isArray(part);
const path: Check = (part) =>
  Array.isArray(part) && part.every((key) => typeof key === 'string' || typeof key === 'number');
const optional =
  (check: Check): Check =>
  (part) =>
    part === undefined || check(part);

/** For each `$type`, the checks of the members. A tagged value that fails a check counts as a plain object. */
const FORMS: { readonly [tag in TaggedValue['$type']]: Readonly<Record<string, Check>> } = {
  undefined: {},
  number: { value: text },
  bigint: { value: text },
  symbol: { description: text },
  function: { name: text },
  Date: { value: textOrNull },
  RegExp: { source: text, flags: text },
  Map: { size, entries: pairs },
  Set: { size, values: list },
  Buffer: { size, base64: text },
  TypedArray: { class: text, length: size, values: list },
  object: { properties, class: optional(text), size: optional(size) },
  Error: { class: text, message: text, stack: optional(text), properties: optional(properties) },
  reference: { path, step: optional(text) },
  string: { value: text, length: size },
  array: { values: list, length: size },
  hole: {},
  accessor: {},
  proxy: {},
  cut: { of: text, reason: text, size: optional(size) },
  redacted: { of: text },
};

/** A captured value with its kind. */
export type ValueShape =
  | { readonly kind: 'simple'; readonly value: null | boolean | number | string }
  | { readonly kind: 'list'; readonly items: readonly CapturedValue[] }
  | { readonly kind: 'object'; readonly properties: Properties }
  | { readonly kind: 'form'; readonly form: TaggedValue };

/** Own keys and values of a plain object. */
export interface Properties {
  readonly [key: string]: CapturedValue;
}

/**
 * Determines a value's shape. Validates tagged forms, because anyone with an API key can send an incomplete form
 * such as `{"$type": "Map"}`. An invalid form counts as a plain object.
 */
export function classifyValue(value: CapturedValue): ValueShape {
  if (value === null || typeof value !== 'object') return { kind: 'simple', value };
  if (isList(value)) return { kind: 'list', items: value };
  // A plain object is not copied, because it can have a million members.
  if (!isTagged(value)) return { kind: 'object', properties: value };
  return isSound(value) ? { kind: 'form', form: value } : { kind: 'object', properties: { ...value } };
}

function isList(value: CapturedValue): value is readonly CapturedValue[] {
  return Array.isArray(value);
}

function isSound(form: TaggedValue): boolean {
  return Object.entries(FORMS[form.$type]).every(([name, check]) => check(Reflect.get(form, name)));
}
