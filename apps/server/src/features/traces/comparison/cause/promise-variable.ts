import type { Step } from '@throughline/contract';
import { describeKind } from '@throughline/contract/captured';
import type { CallHistory, Origin } from '../call-history.ts';
import type { CallFlow } from './call-flow.ts';

/**
 * Finds a variable that contained a promise in the function that threw or in one of its callers, and that never contained a promise in
 * successful calls. The function probably used the promise without waiting for the result.
 */
export function findPromiseVariable(
  thrower: Step,
  { flow, history }: { readonly flow: CallFlow; readonly history: CallHistory },
): Origin | undefined {
  for (const step of flow.listChain(thrower)) {
    const variable = history
      .listOdd(step, 'localVariables')
      .find(({ path, value }) => path.length === 1 && describeKind(value) === 'Promise');
    if (variable !== undefined) return { step, part: 'localVariables', ...variable };
  }
  return undefined;
}
