import type { ComparisonStatement, Step } from '@throughline/contract';
import { identifyCall } from '../../align-steps.ts';
import { flatten } from '../../call-history.ts';
import { readResult } from '../../compare-values.ts';
import { isEqual } from '../../judge-difference.ts';
import { nameStep, writeSide } from '../../texts/write-values.ts';
import { isNamedCall } from './named-call.ts';

/**
 * Minimum number of other requests, and of inputs that the last two calls of the function have in common. With fewer, the calls could be
 * alike by chance.
 */
const MIN = { requests: 3, equalInputs: 2 } as const;

/**
 * Finds a function that a retry probably called twice, so that its effect was applied twice. The function was called before and after a
 * call failed, with at least two equal inputs and no different number, but the results differ. Other requests called the function only
 * once.
 */
export function findRepeatedEffect(
  steps: readonly Step[],
  goods: readonly (readonly Step[])[],
): ComparisonStatement | undefined {
  const failed = steps.find(({ error }) => error !== null);
  if (failed === undefined) return undefined;
  const counts = goods.map(countCalls);
  for (const [key, calls] of Map.groupBy(steps, identifyCall)) {
    const last = calls.at(-1);
    const before = calls.at(-2);
    if (last === undefined || before === undefined || !isNamedCall(last)) continue;
    if (last.startTime < failed.endTime || before.startTime > failed.endTime) continue;
    const others = counts.map((count) => count.get(key) ?? 0).filter((count) => count > 0);
    if (others.length < MIN.requests || others.some((count) => count > 1)) continue;
    const [first, second] = [readResult(before), readResult(last)];
    if (first === undefined || second === undefined || isEqual(first, second)) continue;
    const names = listEqualInputs(before, last);
    if (names.length < MIN.equalInputs) continue;
    // Earlier calls of the function with other inputs do not count, because they can be about something else.
    const alike = calls.filter((call) => names.every((name) => listEqualInputs(call, last).includes(name)));
    const inputs = names.map((name) => `\`${name}\``).join(' and ');
    return {
      text: `\`${nameStep(last)}\` was called ${alike.length} times with the same ${inputs} and returned ${writeSide(first)}, then ${writeSide(second)}. \`${nameStep(failed)}\` had failed before; in other requests \`${nameStep(last)}\` was called once`,
      step: last.stepId,
      other: null,
    };
  }
  return undefined;
}

function countCalls(steps: readonly Step[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const step of steps) counts.set(identifyCall(step), (counts.get(identifyCall(step)) ?? 0) + 1);
  return counts;
}

/** Lists the names of equal inputs. Returns an empty list if a number differs: the calls are then about different amounts or items. */
function listEqualInputs(one: Step, other: Step): string[] {
  const inputs = new Map(flatten(other.inputs).map(({ path, value }) => [path.join('.'), value]));
  const names: string[] = [];
  for (const { path, value } of flatten(one.inputs)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const name = path.join('.');
    if (value === inputs.get(name)) names.push(name);
    else if (typeof value === 'number') return [];
  }
  return names;
}
