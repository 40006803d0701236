import type { CapturedValue, Step } from '@throughline/contract';
import { type CallHistory, flatten, isMissing } from '../call-history.ts';
import { readResult } from '../compare-values.ts';
import { looksUnique } from '../judge-difference.ts';
import { oncePer } from '../once-per.ts';

/**
 * True if a value that a call returned was computed from the call's inputs, so that the value can explain what followed. The time, a random
 * id or the next number differs in every request, and explains nothing.
 */
export function isRepeatable(value: CapturedValue, step: Step, history: CallHistory): boolean {
  return !looksUnique(value) && hasInput(step) && isFunctionOfInputs(history.list(step));
}

function hasInput({ inputs }: Step): boolean {
  return flatten(inputs).some(({ path, value }) => path.length > 0 && !isMissing(value));
}

/** False if two calls of a function with equal inputs returned different results. */
const isFunctionOfInputs = oncePer((calls: readonly Step[]): boolean => {
  const results = new Map<string, string>();
  return calls.every((call) => {
    const inputs = JSON.stringify(call.inputs ?? null);
    const result = JSON.stringify(readResult(call) ?? null);
    const other = results.get(inputs) ?? result;
    results.set(inputs, other);
    return other === result;
  });
});
