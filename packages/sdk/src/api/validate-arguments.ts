import { types } from 'node:util';
import type { CapturedValue } from '@throughline/contract/values';
import { maxName } from '../internal/name-length.ts';
import { report } from '../internal/report.ts';
import type { Recording } from '../record/recording.ts';
import type { StepType } from '../record/types.ts';

/** Maximum number of named values per step, trace or user. */
export const maxNamed = 100;

// Saved when the SDK is loaded, because the host can replace these functions later.
const { getOwnPropertyDescriptor, keys } = Object;
const isProxy = types.isProxy;

/** A record, so that the compiler reports a missing step type. */
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

/**
 * Returns the object's own enumerable properties, without running getters or proxy traps; leaves out getters. Returns undefined for a
 * proxy, a list, and a value that is not an object.
 */
export function readNamedValues(given: unknown): [string, unknown][] | undefined {
  if (typeof given !== 'object' || given === null || isProxy(given) || Array.isArray(given)) return undefined;
  const found: [string, unknown][] = [];
  for (const name of keys(given)) {
    const property = getOwnPropertyDescriptor(given, name);
    if (property !== undefined && 'value' in property) found.push([name, property.value]);
  }
  return found;
}

/** Converts an id to a string. Undefined for other values, such as objects, whose conversion would run host code. */
export function readId(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  return typeof given === 'number' || typeof given === 'bigint' ? String(given) : undefined;
}

/** Describes a value for a line on stderr: only its type, never its content. */
export function describeKind(given: unknown): string {
  if (given === null) return 'null';
  return Array.isArray(given) ? 'an array' : typeof given;
}

/**
 * Captures the first {@link maxNamed} values in their present state. Reports if there are more; `what` is the name of the host's call or
 * option.
 */
export function takeSnapshots(
  recording: Recording,
  values: readonly (readonly [string, unknown])[],
  what: string,
): Record<string, CapturedValue> {
  if (values.length > maxNamed) reportLimit(what);
  return Object.fromEntries(
    values
      .slice(0, maxNamed)
      .map(([name, value]) => [recording.shorten(name, maxName), recording.snapshot(value)]),
  );
}

export function reportLimit(what: string): void {
  report(
    `${what} accepts at most ${maxNamed} names per request or step and ignores the others: put the values in one object`,
  );
}
