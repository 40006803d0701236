import type { ComparisonStatement, Step } from '@throughline/contract';
import { readResult } from '../../compare-values.ts';
import { nameStep, writeSide } from '../../texts/write-values.ts';

/**
 * Minimum number of other calls of the caller's function, and of the called function. With fewer, calls can have finished in time by
 * chance.
 */
const MIN_CALLS = 3;

/**
 * Finds a call that returned before one of its own calls had finished, for example because `await` is missing. In successful requests, the
 * same function never returned before its call of the same other function had finished.
 */
export function findUnfinished(
  steps: readonly Step[],
  {
    goods,
    listCalls,
  }: { readonly goods: readonly (readonly Step[])[]; readonly listCalls: (step: Step) => readonly Step[] },
): ComparisonStatement | undefined {
  const left = listUnfinished(steps);
  if (left.length === 0) return undefined;
  const known = new Set(
    goods.flatMap((good) => listUnfinished(good)).map(({ call, caller }) => describe(call, caller)),
  );
  for (const { call, caller } of left) {
    const result = readResult(caller);
    if (caller.error !== null || result === undefined || known.has(describe(call, caller))) continue;
    if (listCalls(caller).length < MIN_CALLS || listCalls(call).length < MIN_CALLS) continue;
    return {
      text: `\`${nameStep(caller)}\` returned ${writeSide(result)} before its call of \`${nameStep(call)}\` was finished; in other requests this call was always finished`,
      step: caller.stepId,
      other: null,
    };
  }
  return undefined;
}

interface Unfinished {
  readonly call: Step;
  readonly caller: Step;
}

function listUnfinished(steps: readonly Step[]): Unfinished[] {
  const byId = new Map(steps.map((step) => [step.stepId, step]));
  return steps.flatMap((call) => {
    const caller = call.parentStepId === null ? undefined : byId.get(call.parentStepId);
    return caller === undefined ||
      isUnfinished(caller) ||
      !isUnfinished(call) ||
      caller.stepType !== 'function'
      ? []
      : [{ call, caller }];
  });
}

function describe(call: Step, caller: Step): string {
  return JSON.stringify([nameStep(call), nameStep(caller)]);
}

/** True if the SDK marked the call: it was not finished when the response was sent, or no code awaited its promise. */
function isUnfinished({ metadata }: Step): boolean {
  if (typeof metadata !== 'object' || metadata === null) return false;
  return (
    ('unfinished' in metadata && metadata.unfinished === true) ||
    ('detached' in metadata && metadata.detached === true)
  );
}
