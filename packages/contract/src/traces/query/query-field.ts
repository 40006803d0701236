import type { PlainTraceFilters } from './plain-filters.ts';

/** Filters with one value each, keyed by API parameter name. */
export type SingleFilters = Omit<PlainTraceFilters, 'projectId'>;

/** Filters whose values can be excluded, by API parameter name. */
export const EXCLUDABLE = [
  'status',
  'statusCode',
  'statusClass',
  'method',
  'route',
  'service',
  'environment',
  'release',
  'instance',
  'user',
  'session',
  'country',
  'endpoint',
  'feature',
  'errorGroup',
  'errorIds',
  'errorText',
  'stepName',
  'attribute',
  'value',
] as const satisfies readonly (keyof SingleFilters)[];
export type Excludable = (typeof EXCLUDABLE)[number];

/** Excluded values per filter. Requests with any of these values are not listed. */
export type ExcludedValues = { readonly [Name in Excludable]?: readonly NonNullable<SingleFilters[Name]>[] };

/** Everything that a query can express. */
export type QueryFilters = SingleFilters & { excluded?: ExcludedValues };

/** Why a field does not accept a value. */
export interface ValueProblem {
  readonly message: string;
  /** A valid value to suggest instead. */
  readonly replacement?: string;
}

export type ReadValue =
  | { readonly set: Partial<SingleFilters> }
  | { readonly set?: never; readonly problem: ValueProblem };

/** A value as it is written after a field's name. */
export interface WrittenValue {
  readonly value: string;
  readonly excluded?: boolean;
}

/** One field of the query language. */
export interface QueryField {
  readonly name: string;
  readonly about: string;
  /** An example term to show, such as `status:5xx`. */
  readonly example: string;
  /**
   * `values`: any value can be excluded. `opposite`: the field parses `-field:value` as the opposite
   * filter. `none`: `-field:value` is rejected.
   */
  readonly negation: 'values' | 'opposite' | 'none';
  /** Values to suggest in addition to the values in the project's traces. */
  readonly values: readonly string[];
  readonly read: (value: string, excluded: boolean) => ReadValue;
  /** Formats all values that the filters contain for this field. */
  readonly write: (filters: SingleFilters) => readonly WrittenValue[];
}

export function refuse(message: string, replacement?: string): ReadValue {
  return { problem: { message, ...(replacement !== undefined && { replacement }) } };
}
