import type { CapturedValue, Step } from '@throughline/contract';
import { type CallHistory, isMissing } from '../call-history.ts';
import { readMembers } from '../compare-values.ts';

/**
 * True if a local variable of the function that threw has no value, but had one in all successful calls. The variable is probably the
 * result of a lookup that found nothing. The cause is then the key that was looked up rather than another unusual input.
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
