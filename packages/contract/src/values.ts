/**
 * Format of captured JavaScript values. Values that JSON can represent are plain JSON. Every other value is a tagged form: an object whose
 * `$type` names the form. An object of the host with its own `$type` key is sent as the `object` form, so a `$type` at the top level of an
 * object always names a tagged form. Truncated values have their original size: `length` in the forms `string`, `array` and `TypedArray`;
 * `size` in `object`, `Map`, `Set` and `Buffer`.
 */

/** A captured value: plain JSON in which every object with a `$type` is a {@link TaggedValue}. */
export type CapturedValue =
  | null
  | boolean
  | number
  | string
  | readonly CapturedValue[]
  | { readonly [key: string]: CapturedValue }
  | TaggedValue;

/** Why the content of a value was not captured. */
export type CutReason = 'depth' | 'bytes' | 'items' | 'budget';

export type TaggedValue =
  | { readonly $type: 'undefined' }
  | { readonly $type: 'number'; readonly value: 'NaN' | 'Infinity' | '-Infinity' | '-0' }
  | { readonly $type: 'bigint'; readonly value: string }
  | { readonly $type: 'symbol'; readonly description: string }
  | { readonly $type: 'function'; readonly name: string; readonly isClass?: boolean }
  /** `value` is ISO 8601, or null for an invalid date. */
  | { readonly $type: 'Date'; readonly value: string | null }
  | { readonly $type: 'RegExp'; readonly source: string; readonly flags: string }
  | {
      readonly $type: 'Map';
      readonly size: number;
      readonly entries: readonly (readonly [CapturedValue, CapturedValue])[];
    }
  | { readonly $type: 'Set'; readonly size: number; readonly values: readonly CapturedValue[] }
  /** Buffer: the first bytes as base64; `size` in bytes. */
  | { readonly $type: 'Buffer'; readonly size: number; readonly base64: string }
  /**
   * A typed array, DataView or ArrayBuffer. `class` is the constructor's name, `length` counts elements
   * (bytes for buffers and views).
   */
  | {
      readonly $type: 'TypedArray';
      readonly class: string;
      readonly length: number;
      readonly values: readonly (number | TaggedValue)[];
    }
  /**
   * A class instance (`class` is the class's name), a truncated object (`size` is the number of its own keys), or an object with its own
   * `$type` key.
   */
  | {
      readonly $type: 'object';
      readonly class?: string;
      readonly size?: number;
      readonly properties: { readonly [key: string]: CapturedValue };
    }
  | {
      readonly $type: 'Error';
      readonly class: string;
      readonly message: string;
      readonly stack?: string;
      readonly cause?: CapturedValue;
      readonly properties?: { readonly [key: string]: CapturedValue };
    }
  /**
   * A reference to the same object at `path` in this step (`['parameters', 'order', 0]`); an empty path means the value itself. With
   * `step`: at `path` (`['inputs', 'order', 0]`) in another step of the trace, where the object had the same contents.
   */
  | { readonly $type: 'reference'; readonly path: readonly (string | number)[]; readonly step?: string }
  /** A truncated string; `length` is the original length: in bytes for the body of a request or response, otherwise in UTF-16 units. */
  | { readonly $type: 'string'; readonly value: string; readonly length: number }
  /** An array that was truncated or has holes; `length` is the original length. */
  | { readonly $type: 'array'; readonly values: readonly CapturedValue[]; readonly length: number }
  /** An array hole. */
  | { readonly $type: 'hole' }
  /** An accessor property; its getter is never called. */
  | { readonly $type: 'accessor' }
  /** A Proxy; its target is never inspected. */
  | { readonly $type: 'proxy' }
  /** A value that was not captured because a limit was reached. `of` is the value's kind: `object`, `array`, `Map`, a class name … */
  | { readonly $type: 'cut'; readonly of: string; readonly size?: number; readonly reason: CutReason }
  /** A value that a redaction rule removed. `of` is the removed value's type. */
  | { readonly $type: 'redacted'; readonly of: string };

/** Every `$type` and its meaning. */
export const VALUE_FORMS = {
  undefined: 'the value `undefined`; no fields',
  number: '`value` is NaN, Infinity, -Infinity or -0',
  bigint: '`value` in decimal digits',
  symbol: '`description`',
  function: '`name`; `isClass` if the function is a class',
  Date: '`value` in ISO 8601; null for an invalid date',
  RegExp: '`source` and `flags`',
  Map: '`entries` as pairs of key and value; `size` of the whole Map',
  Set: '`values`; `size` of the whole Set',
  Buffer: 'the first bytes as `base64`; `size` in bytes',
  TypedArray: '`class`, the first `values`, and the full `length` (in bytes for ArrayBuffer and DataView)',
  object:
    '`properties` of an instance of `class`, of a truncated object with `size` keys, or of an object that has a key `$type` itself',
  Error: '`class`, `message`, `stack`, `cause`, other `properties`',
  reference:
    '`path` to the same object with the same contents: in this step, or in the step with the id `step`',
  string: 'a truncated string: `value` has the first characters, `length` is the full length',
  array: 'a truncated array, or an array with holes: the first `values` and the full `length`',
  hole: 'an array hole; no fields',
  accessor: 'a getter or setter, which the SDK does not call; no fields',
  proxy: 'a Proxy, whose properties the SDK does not read; no fields',
  cut: 'a value that was not captured because of a limit (`reason`: depth, bytes, items or budget); `of` is its type, and `size` is its size',
  redacted: "a value that was redacted; `of` is the value's type",
} as const satisfies Readonly<Record<TaggedValue['$type'], string>>;

/**
 * True if an object in captured JSON is a tagged form, not a plain object of the host application.
 */
export function isTagged(value: CapturedValue): value is TaggedValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    '$type' in value &&
    typeof value.$type === 'string' &&
    Object.hasOwn(VALUE_FORMS, value.$type)
  );
}
