import type { CapturedValue } from '@throughline/contract';
import { addKeys, formatName, listParts } from '@throughline/contract/captured';

type Key = string | number;

/** A value that can have parts. */
export type Container = Exclude<CapturedValue, null | boolean | number | string>;

/** The own keys and values of a plain object. */
export interface Plain {
  readonly [key: string]: CapturedValue;
}

/** Called for each part. `name` is undefined for an item of a list. */
type Visit = (key: Key, name: string | undefined, value: CapturedValue) => void;

/** Visits the direct parts of a value. Most values are plain objects and lists, so these are read without copies. */
export function visitParts(value: Container, visit: Visit): void {
  if (isList(value)) for (const [index, item] of value.entries()) visit(index, undefined, item);
  else if (isPlain(value)) visitKeys(value, visit);
  else visitFormParts(value, visit);
}

function visitKeys(value: Plain, visit: Visit): void {
  for (const key of Object.keys(value)) {
    const part = value[key];
    if (part !== undefined) visit(key, key, part);
  }
}

function visitFormParts(form: CapturedValue, visit: Visit): void {
  for (const { key, label, value } of addKeys(listParts(form).children)) {
    if (label.kind === 'meta' && label.text === 'stack') continue;
    visit(key, label.kind === 'index' ? undefined : formatName(label), value);
  }
}

export function findPart(
  value: CapturedValue,
  wanted: Key,
): { readonly name: string | undefined; readonly value: CapturedValue } | undefined {
  let found: { readonly name: string | undefined; readonly value: CapturedValue } | undefined;
  if (!isContainer(value)) return undefined;
  visitParts(value, (key, name, part) => {
    if (key === wanted) found = { name, value: part };
  });
  return found;
}

export function isContainer(value: CapturedValue): value is Container {
  return typeof value === 'object' && value !== null;
}

export function isList(value: CapturedValue): value is readonly CapturedValue[] {
  return Array.isArray(value);
}

/** True for an object that is certainly not an encoded captured value, which has a `$type`. */
export function isPlain(value: Container): value is Plain {
  return !Array.isArray(value) && !('$type' in value);
}
