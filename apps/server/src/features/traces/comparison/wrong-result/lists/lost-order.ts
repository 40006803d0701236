import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { listParts } from '@throughline/contract/captured';
import { readResult } from '../../compare-values.ts';
import { nameStep, writeSide } from '../../texts/write-values.ts';
import { isInOrder, listKeys, MIN_ITEMS, readList } from './list-order.ts';

/** Minimum number of other calls that returned lists in order. Fewer or shorter lists can be in order by chance. */
const MIN_CALLS = 3;
/** At least one of the lists in order must have this many items. */
const MIN_LONGEST = 3;

/** Finds a list that a function returned in order in other calls, but not in this call, although the function sorts. */
export function findLostOrder(
  step: Step,
  calls: readonly Step[],
  isSorting: boolean,
): ComparisonStatement | undefined {
  const list = readList(readResult(step));
  if (list === undefined || calls.length < MIN_CALLS) return undefined;
  const others = calls.flatMap((call) => {
    const result = readList(readResult(call));
    return result === undefined ? [] : [{ result, inputs: readLists(call.inputs) }];
  });
  if (others.length < MIN_CALLS || !others.some(({ result }) => result.length >= MIN_LONGEST))
    return undefined;
  for (const key of listKeys(list)) {
    for (const direction of [1, -1]) {
      const inOrder = (values: readonly CapturedValue[]) => isInOrder(values, key, direction);
      if (!others.every(({ result }) => inOrder(result)) || inOrder(list)) continue;
      const sorts =
        isSorting ||
        others.some(({ inputs }) => inputs.some((input) => input.length >= MIN_ITEMS && !inOrder(input)));
      if (!sorts) continue;
      const by = key === '' ? '' : ` by \`${key}\``;
      return {
        text: `\`${nameStep(step)}\` returned ${key === '' ? writeSide(readResult(step)) : writePair(list, inOrder)}, which is not in order${by}; in other calls the result is always in order`,
        step: step.stepId,
        other: null,
      };
    }
  }
  return undefined;
}

/** Describes the first two items that are not in order. */
function writePair(
  list: readonly CapturedValue[],
  inOrder: (values: readonly CapturedValue[]) => boolean,
): string {
  const at = list.findIndex((_, index) => index > 0 && !inOrder(list.slice(index - 1, index + 1)));
  return `${writeSide(list[at - 1])} before ${writeSide(list[at])}`;
}

function readLists(inputs: CapturedValue | undefined): (readonly CapturedValue[])[] {
  if (inputs === undefined) return [];
  return listParts(inputs).children.flatMap(({ value }) => {
    const list = readList(value);
    return list === undefined ? [] : [list];
  });
}
