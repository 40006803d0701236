/**
 * How a captured JavaScript value travels. What JSON can say stays plain JSON; everything else is one tagged form, an object
 * whose `$type` names it. A host object that has a `$type` key of its own is sent as the `object` form, so a `$type` at the top of
 * an object is always ours.
 *
 * Cut values say how large they were: a `string` form has `length`, an `array` has `length`, an `object`, `Map` or `Set` has `size`.
 */

/** Any value as captured: plain JSON, in which every object that carries `$type` is a {@link TaggedValue}. */
export type CapturedValue =
  | null
  | boolean
  | number
  | string
  | readonly CapturedValue[]
  | { readonly [key: string]: CapturedValue }
  | TaggedValue;

/** Why nothing of a value is shown. */
export type CutReason = 'depth' | 'bytes' | 'items';

export type TaggedValue =
  | { readonly $type: 'undefined' }
  /** NaN, Infinity, -Infinity, -0. */
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
  /** Typed arrays, DataView and ArrayBuffers; `class` is the constructor's name, `length` in elements (bytes for buffers and views). */
  | {
      readonly $type: 'TypedArray';
      readonly class: string;
      readonly length: number;
      readonly values: readonly (number | TaggedValue)[];
    }
  /** A class instance (`class`), an object that was cut (`size` = its own keys), or one with a `$type` key of its own. */
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
  /** The same object as at `path` of this step (`['parameters', 'order', 0]`); an empty path is the value itself. */
  | { readonly $type: 'reference'; readonly path: readonly (string | number)[] }
  /** A string cut after its first characters; `length` in UTF-16 units. */
  | { readonly $type: 'string'; readonly value: string; readonly length: number }
  /** An array cut after its first items, or with holes: `length` is the whole one's. */
  | { readonly $type: 'array'; readonly values: readonly CapturedValue[]; readonly length: number }
  /** An array hole. */
  | { readonly $type: 'hole' }
  /** An accessor property: never read. */
  | { readonly $type: 'accessor' }
  /** A Proxy: never looked into. */
  | { readonly $type: 'proxy' }
  /** Not read because a limit was reached; `of` is what it is: `object`, `array`, `Map`, a class name … */
  | { readonly $type: 'cut'; readonly of: string; readonly size?: number; readonly reason: CutReason }
  /** Removed by a redaction rule; `of` is the removed value's type. */
  | { readonly $type: 'redacted'; readonly of: string };

/** Every `$type` there is, for readers that must recognise them all. */
export const VALUE_TAGS = [
  'undefined',
  'number',
  'bigint',
  'symbol',
  'function',
  'Date',
  'RegExp',
  'Map',
  'Set',
  'Buffer',
  'TypedArray',
  'object',
  'Error',
  'reference',
  'string',
  'array',
  'hole',
  'accessor',
  'proxy',
  'cut',
  'redacted',
] as const satisfies readonly TaggedValue['$type'][];

/** Whether an object met in captured JSON is one of our forms rather than a plain object of the host's. */
export function isTagged(value: CapturedValue): value is TaggedValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    '$type' in value &&
    (VALUE_TAGS as readonly unknown[]).includes(value.$type)
  );
}
