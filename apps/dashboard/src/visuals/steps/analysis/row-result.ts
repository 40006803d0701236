import type { Step } from '@throughline/contract';
import { describeKind, escapeControlCharacters, summariseInLine } from '@throughline/contract/captured';

/**
 * Describes a function's result for the function's row, so that a reader of the list sees where a value became wrong. Undefined for steps
 * of other types, for a failed call, if values were not loaded, and for the result `undefined`, which most functions without a result
 * return.
 */
export function describeRowResult({ stepType, error, variables }: Step): string | undefined {
  const result = variables?.returnValue;
  if (stepType !== 'function' || error !== null || result === undefined) return undefined;
  if (describeKind(result) === 'undefined') return undefined;
  return `= ${escapeControlCharacters(summariseInLine(result))}`;
}
