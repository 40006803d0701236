import type { CapturedValue, Step } from '@throughline/contract';
import { type CallHistory, isMissing } from '../call-history.ts';
import { readMembers } from '../compare-values.ts';

/**
 * True if the function that threw has a variable without a value, such as an entry that it did not find, and the variable had a value in
 * all successful calls. The cause is then the key, rather than an unusual number beside the key.
 */
export function hasFoundNothing(thrower: Step | undefined, history: CallHistory): boolean {
  if (thrower === undefined) return false;
  const successful = history.list(thrower).map((call) => readMembers(call.variables?.localVariables));
  return [...readMembers(thrower.variables?.localVariables)].some(
    ([name, value]) =>
      isMissing(value) && successful.length > 0 && successful.every((locals) => hasValue(locals, name)),
  );
}

function hasValue(locals: ReadonlyMap<string, CapturedValue>, name: string): boolean {
  const value = locals.get(name);
  return value !== undefined && !isMissing(value);
}
