import type { ComparisonStatement, Step } from '@throughline/contract';
import { describeKind } from '@throughline/contract/captured';
import { isDetached } from '../../cause/not-awaited.ts';
import { readMembers } from '../../compare-values.ts';
import { nameStep, writeSide } from '../../texts/write-values.ts';

/**
 * Finds a function that passed a promise to another function, as if it were the result: a variable contains a promise, no code awaited a
 * call that the function had made, and a later call received a promise.
 */
export function findUnawaitedValue(steps: readonly Step[]): ComparisonStatement | undefined {
  const unawaited = Map.groupBy(
    steps.filter(({ metadata }) => isDetached(metadata)),
    ({ parentStepId }) => parentStepId,
  );
  if (unawaited.size === 0) return undefined;
  for (const step of steps) {
    const calls = unawaited.get(step.stepId);
    const variable = [...readMembers(step.variables?.localVariables)].find(([, value]) => isPromise(value));
    if (calls === undefined || variable === undefined) continue;
    for (const call of calls) {
      const receiver = steps.find(
        (other) =>
          other.parentStepId === step.stepId &&
          other.startTime >= call.startTime &&
          [...readMembers(other.inputs).values()].some(isPromise),
      );
      if (receiver === undefined) continue;
      const [name, value] = variable;
      return {
        text: `\`${name}\` is ${writeSide(value)} in \`${nameStep(step)}\`, because no code awaited \`${nameStep(call)}\`; \`${nameStep(receiver)}\` received the promise`,
        step: step.stepId,
        other: null,
      };
    }
  }
  return undefined;
}

function isPromise(value: Parameters<typeof describeKind>[0]): boolean {
  return describeKind(value) === 'Promise';
}
