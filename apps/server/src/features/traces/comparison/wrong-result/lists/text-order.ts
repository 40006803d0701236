import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { readMembers, readResult } from '../../compare-values.ts';
import { nameStep, writeSide } from '../../texts/write-values.ts';
import { isInOrder, readList } from './list-order.ts';

/** Minimum number of items. Shorter lists can be in the order of their texts by chance. */
const MIN_ITEMS = 6;

/** Finds a list of numbers that is sorted like texts (1, 10, 9) instead of like numbers. `sort` without a callback sorts in this way. */
export function findTextOrder(step: Step): ComparisonStatement | undefined {
  const lists = [
    ...readMembers(step.variables?.localVariables),
    ...readMembers(step.variables?.parameters),
    ['return value', readResult(step)] as const,
  ];
  const received = new Set([...readMembers(step.inputs).values()].map((value) => JSON.stringify(value)));
  for (const [name, value] of lists) {
    if (value === undefined || !isInTextOrder(value) || received.has(JSON.stringify(value))) continue;
    const result = readResult(step);
    const returned =
      result === undefined || name === 'return value'
        ? ''
        : `, then \`${nameStep(step)}\` returned ${writeSide(result)}`;
    return {
      text: `\`${name}\` is ${writeSide(value)} in \`${nameStep(step)}\`, sorted by text instead of by number${returned}`,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

function isInTextOrder(value: CapturedValue): boolean {
  const list = readList(value);
  if (list === undefined || list.length < MIN_ITEMS || !list.every((item) => typeof item === 'number'))
    return false;
  return isInOrder(list.map(String), '', 1) && ![1, -1].some((direction) => isInOrder(list, '', direction));
}
