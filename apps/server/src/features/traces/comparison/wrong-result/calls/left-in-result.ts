import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import {
  findValueAt,
  findValueDifferences,
  formatPath,
  type ValueDifference,
} from '@throughline/contract/captured';
import { identifyCall } from '../../align-steps.ts';
import { flatten } from '../../call-history.ts';
import type { GivenValues } from '../../cause/given-values.ts';
import { readResult } from '../../compare-values.ts';
import { isEqual } from '../../judge-difference.ts';
import { nameStep, writeCallValue, writeSide } from '../../texts/write-values.ts';
import { type Inspected, LIMITS } from './left-behind.ts';
import { isNamedCall } from './named-call.ts';

/** Minimum number of other calls with the same inputs, all of which returned the same result. */
const MIN_CALLS = 2;

/**
 * Finds a function that returned a value which another request had sent. With the same inputs, the function always returned another value
 * before. In an earlier request, the function computed the new value from other inputs. The function probably keeps options or results of
 * one request for the next.
 */
export function findLeftInResult(
  steps: readonly Step[],
  goods: readonly (readonly Step[])[],
  { startTime, given }: Inspected,
): ComparisonStatement | undefined {
  const calls = Map.groupBy(goods.flat().filter(isNamedCall), identifyCall);
  for (const step of steps) {
    const result = readResult(step);
    if (!isNamedCall(step) || typeof result !== 'object' || result === null) continue;
    const known = calls.get(identifyCall(step)) ?? [];
    const usual = findUsual(step, known);
    if (usual === undefined || isEqual(usual, result)) continue;
    const earlier = known.filter((call) => call.endTime < startTime && !isEqual(call.inputs, step.inputs));
    const { found } = findValueDifferences(result, usual, LIMITS);
    const isLeft = (difference: ValueDifference) =>
      !isSent(difference.left, step, given) && earlier.some((call) => hasSent(call, difference));
    const [first] = found;
    if (first?.left === undefined || found.length >= LIMITS.differences || !found.every(isLeft)) continue;
    const place = formatPath(first.path);
    const seen = writeCallValue({
      call: nameStep(step),
      isResult: true,
      place,
      value: writeSide(first.left),
    });
    return {
      text: `${seen}, as in an earlier request with other inputs; with these inputs \`${place}\` was always ${writeSide(first.right)} before`,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

/** Returns the result of all other calls with the same inputs, if all of them returned the same result. */
function findUsual(step: Step, known: readonly Step[]): CapturedValue | undefined {
  const same = known.filter((call) => isEqual(call.inputs, step.inputs));
  const [first] = same;
  const usual = first && readResult(first);
  return same.length >= MIN_CALLS && same.every((call) => isEqual(readResult(call), usual))
    ? usual
    : undefined;
}

/** True if the call returned the value `left` at the same path, and had received one of the texts or numbers in this value. */
function hasSent(call: Step, { path, left }: ValueDifference): boolean {
  const result = readResult(call);
  if (left === undefined || result === undefined || !isEqual(findValueAt(result, path), left)) return false;
  const inputs = JSON.stringify(call.inputs ?? null);
  return listTexts(left).some((text) => inputs.includes(text));
}

/** True if this call received, or the client sent, one of the texts or numbers in the value. Also true if there is no value. */
function isSent(value: CapturedValue | undefined, { inputs }: Step, given: GivenValues): boolean {
  const own = JSON.stringify(inputs ?? null);
  return (
    value === undefined ||
    listTexts(value).some((text) => own.includes(text) || given.has(JSON.stringify(text)))
  );
}

/** Lists the texts and numbers in a value as they are written in JSON, without quotes. Leaves out texts and numbers of one character. */
function listTexts(value: CapturedValue): string[] {
  return flatten(value)
    .flatMap((leaf) =>
      typeof leaf.value === 'string' || typeof leaf.value === 'number'
        ? [JSON.stringify(leaf.value).replace(/^"|"$/g, '')]
        : [],
    )
    .filter((text) => text.length > 1);
}
