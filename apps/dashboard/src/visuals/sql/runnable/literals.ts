import type { CapturedValue } from '@throughline/contract';
import { classifyValue } from '@throughline/contract/captured';
import type { SqlDialect } from './find-placeholders.ts';

/** Why a placeholder is not replaced by a literal: the value is not known, or the dialect has no literal for it. */
export type Missing = 'redacted' | 'cut' | 'not captured' | 'without a literal';

/** A value as SQL, or the reason why there is none. */
export type Literal = { readonly sql: string } | { readonly missing: Missing };

/** A value that a driver binds to a placeholder. A captured value that no driver binds as one value has the kind `missing`. */
export type BoundValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'bigint'; readonly digits: string }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'date'; readonly iso: string }
  | { readonly kind: 'bytes'; readonly hex: string }
  | { readonly kind: 'list'; readonly items: readonly BoundValue[] }
  | {
      readonly kind: 'object';
      readonly json: string;
      readonly members: readonly (readonly [string, BoundValue])[];
    }
  | { readonly kind: 'missing'; readonly why: Missing };

/** Converts a captured value. A part that is missing, at any depth, makes the whole value missing. */
export function readBoundValue(value: CapturedValue | undefined): BoundValue {
  if (value === undefined) return { kind: 'missing', why: 'not captured' };
  const shape = classifyValue(value);
  switch (shape.kind) {
    case 'simple':
      return readSimple(shape.value);
    case 'list':
      return readList(shape.items);
    case 'object':
      return readObject(shape.properties);
    case 'form':
      return readForm(shape.form);
  }
}

function readSimple(value: null | boolean | number | string): BoundValue {
  if (value === null) return { kind: 'null' };
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  return typeof value === 'number' ? { kind: 'number', value } : { kind: 'text', value };
}

type Form = Extract<ReturnType<typeof classifyValue>, { readonly kind: 'form' }>['form'];

function readForm(form: Form): BoundValue {
  switch (form.$type) {
    case 'undefined':
      return { kind: 'null' };
    case 'number':
      return { kind: 'number', value: Number(form.value) };
    case 'bigint':
      return /^-?\d+$/.test(form.value) ? { kind: 'bigint', digits: form.value } : NOT_CAPTURED;
    case 'Date':
      return form.value === null ? WITHOUT_LITERAL : readDate(form.value);
    case 'Buffer':
      return readBytes(form.base64, form.size);
    case 'TypedArray':
      return form.class === 'Uint8Array' ? readByteList(form.values, form.length) : WITHOUT_LITERAL;
    case 'string':
    case 'array':
    case 'cut':
      return CUT;
    case 'object':
      if (form.size !== undefined) return CUT;
      return form.class === undefined ? readObject(form.properties) : WITHOUT_LITERAL;
    case 'redacted':
      return { kind: 'missing', why: 'redacted' };
    case 'reference':
    case 'accessor':
    case 'proxy':
      return NOT_CAPTURED;
    default:
      return WITHOUT_LITERAL;
  }
}

const CUT: BoundValue = { kind: 'missing', why: 'cut' };
const NOT_CAPTURED: BoundValue = { kind: 'missing', why: 'not captured' };
const WITHOUT_LITERAL: BoundValue = { kind: 'missing', why: 'without a literal' };

function readDate(iso: string): BoundValue {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(iso) ? { kind: 'date', iso } : WITHOUT_LITERAL;
}

function readBytes(base64: string, size: number): BoundValue {
  let bytes: string;
  try {
    bytes = atob(base64);
  } catch {
    return NOT_CAPTURED;
  }
  if (bytes.length !== size) return CUT;
  return { kind: 'bytes', hex: [...bytes].map((byte) => toHex(byte.charCodeAt(0))).join('') };
}

function readByteList(values: readonly CapturedValue[], length: number): BoundValue {
  if (values.length !== length) return CUT;
  const bytes = values.filter((value): value is number => typeof value === 'number');
  return bytes.length === length ? { kind: 'bytes', hex: bytes.map(toHex).join('') } : NOT_CAPTURED;
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function readList(values: readonly CapturedValue[]): BoundValue {
  const items = values.map(readBoundValue);
  return items.find(({ kind }) => kind === 'missing') ?? { kind: 'list', items };
}

function readObject(properties: { readonly [key: string]: CapturedValue }): BoundValue {
  const members = Object.entries(properties).map(([key, value]) => [key, readBoundValue(value)] as const);
  const missing = members.find(([, { kind }]) => kind === 'missing');
  if (missing !== undefined) return missing[1];
  const json = toJson(properties);
  return json === undefined ? WITHOUT_LITERAL : { kind: 'object', json, members };
}

/** Returns the JSON that `JSON.stringify` would have given for the value; undefined if JSON cannot express the value. */
function toJson(value: CapturedValue): string | undefined {
  try {
    return JSON.stringify(toPlain(value));
  } catch {
    return undefined;
  }
}

function toPlain(value: CapturedValue): unknown {
  const shape = classifyValue(value);
  if (shape.kind === 'simple') return shape.value;
  if (shape.kind === 'list') return shape.items.map(toPlain);
  const properties = shape.kind === 'object' ? shape.properties : undefined;
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, toPlain(part)]));
  if (shape.kind !== 'form') return undefined;
  const { form } = shape;
  if (form.$type === 'undefined') return undefined;
  if (form.$type === 'Date') return form.value;
  if (form.$type === 'number') return form.value === '-0' ? 0 : null;
  if (form.$type === 'object' && form.class === undefined && form.size === undefined)
    return Object.fromEntries(Object.entries(form.properties).map(([key, part]) => [key, toPlain(part)]));
  throw new Error(`JSON has no form for ${form.$type}`);
}

/** Writes values as literals of one dialect. */
export interface LiteralWriter {
  readonly dialect: SqlDialect;
  /** `isAfterSet`: the literal follows the word SET. */
  write(value: BoundValue, isAfterSet: boolean): Literal;
}

export const withoutLiteral: Literal = { missing: 'without a literal' };

/** Puts a negative number into parentheses, because `5 -$1` would otherwise become the beginning of a comment. */
export function guardSign(digits: string): string {
  return digits.startsWith('-') ? `(${digits})` : digits;
}

/** Returns a text as a string of standard SQL. A text with the character NUL has no literal. */
export function quotePlain(text: string): Literal {
  return text.includes('\0') ? withoutLiteral : { sql: `'${text.replaceAll("'", "''")}'` };
}
