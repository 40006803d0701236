import type { PlainTraceFilters } from './plain-filters.ts';

/** Filters that have one value each, by their names in the API. */
export type SingleFilters = Omit<PlainTraceFilters, 'projectId'>;

/** Filters whose values can be excluded, by their names in the API. */
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
  'country',
] as const satisfies readonly (keyof SingleFilters)[];
export type Excludable = (typeof EXCLUDABLE)[number];

/** Values that no listed request has. */
export type ExcludedValues = { readonly [Name in Excludable]?: readonly NonNullable<SingleFilters[Name]>[] };

/** All that a query can say. */
export type QueryFilters = SingleFilters & { excluded?: ExcludedValues };

/** A value that a field does not take. */
export interface ValueProblem {
  readonly message: string;
  /** A value to write instead. */
  readonly replacement?: string;
}

export type ReadValue =
  | { readonly set: Partial<SingleFilters> }
  | { readonly set?: never; readonly problem: ValueProblem };

/** A value as it is written after a field. */
export interface WrittenValue {
  readonly value: string;
  readonly excluded?: boolean;
}

/** One field of the query language. */
export interface QueryField {
  readonly name: string;
  readonly about: string;
  /** A term to show, such as `status:5xx`. */
  readonly example: string;
  /** `values`: any value can be excluded. `opposite`: the field reads its own opposite. `none`: `-field:value` is refused. */
  readonly negation: 'values' | 'opposite' | 'none';
  /** Values to offer; a value that the project has is read from its traces. */
  readonly values: readonly string[];
  readonly read: (value: string, excluded: boolean) => ReadValue;
  /** Every value that these filters set of the field. */
  readonly write: (filters: SingleFilters) => readonly WrittenValue[];
}

export function refuse(message: string, replacement?: string): ReadValue {
  return { problem: { message, ...(replacement !== undefined && { replacement }) } };
}
