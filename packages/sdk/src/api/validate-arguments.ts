import { types } from 'node:util';
import type { CapturedValue } from '@throughline/contract/values';
import type { Recording } from '../record/recording.ts';
import type { StepType } from '../record/types.ts';

/** Names that a host may give to one step, trace or user: names, unlike values, have no limit of their own. */
export const maxNamed = 100;
/** The longest name or key, characters. */
export const maxName = 1000;

// As they were when the SDK was loaded.
const { getOwnPropertyDescriptor, keys } = Object;
const isProxy = types.isProxy;

/** Keys that every value of the type has: none may be missing. */
const stepTypes: Readonly<Record<StepType, true>> = {
  middleware: true,
  handler: true,
  function: true,
  database: true,
  http: true,
  cache: true,
  queue: true,
  log: true,
  custom: true,
};

export const stepTypeNames = keys(stepTypes).join(', ');

export function isStepType(given: unknown): given is StepType {
  return typeof given === 'string' && Object.hasOwn(stepTypes, given);
}

/** Named values from the host: own enumerable properties, without running getters or proxies. Undefined for a value without names. */
export function namedValues(given: unknown): [string, unknown][] | undefined {
  if (typeof given !== 'object' || given === null || isProxy(given) || Array.isArray(given)) return undefined;
  const found: [string, unknown][] = [];
  for (const name of keys(given)) {
    const property = getOwnPropertyDescriptor(given, name);
    if (property !== undefined && 'value' in property) found.push([name, property.value]);
  }
  return found;
}

/** An id as text; undefined for what is none, such as an object, which only its own code could turn into text. */
export function idText(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  return typeof given === 'number' || typeof given === 'bigint' ? String(given) : undefined;
}

/** Describes a value for a line on stderr: its kind, never its content. */
export function describeKind(given: unknown): string {
  if (given === null) return 'null';
  return Array.isArray(given) ? 'an array' : typeof given;
}

/** Copies of the values as they are now, of the first {@link maxNamed} of them. */
export function takeSnapshots(
  recording: Recording,
  values: readonly (readonly [string, unknown])[],
): Record<string, CapturedValue> {
  return Object.fromEntries(
    values.slice(0, maxNamed).map(([name, value]) => [name.slice(0, maxName), recording.snapshot(value)]),
  );
}
