import type { Step } from '@throughline/contract';
import { describeKind, escapeControlCharacters, summariseInLine } from '@throughline/contract/captured';

/**
 * Describes a function's result in the function's row, so that a reader of the list sees where a value became wrong. Returns undefined for
 * steps of other types, for a call that threw, and while the values are not loaded. Also returns undefined for the result `undefined`: most
 * functions with this result return nothing.
 */
export function describeRowResult({ stepType, error, variables }: Step): string | undefined {
  const result = variables?.returnValue;
  if (stepType !== 'function' || error !== null || result === undefined) return undefined;
  if (describeKind(result) === 'undefined') return undefined;
  return `= ${escapeControlCharacters(summariseInLine(result))}`;
}
