import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { readMembers, readResult } from '../../compare-values.ts';
import { nameStep, writeSide } from '../../texts/write-values.ts';
import { isInOrder, readList } from './list-order.ts';

/** Minimum number of items. Shorter lists can be in the order of their texts by chance. */
const MIN_ITEMS = { numbers: 6, versions: 3 } as const;
const VERSION = /^v?\d+(\.\d+)+$/;

/**
 * Finds a list of numbers or versions that is sorted like texts (1, 10, 9) instead of like numbers. `sort` without a callback sorts in this
 * way.
 */
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
  const list = readList(value) ?? [];
  if (list.length >= MIN_ITEMS.numbers && list.every((item) => typeof item === 'number'))
    return isInOrder(list.map(String), '', 1) && ![1, -1].some((direction) => isInOrder(list, '', direction));
  if (
    list.length < MIN_ITEMS.versions ||
    !list.every((item) => typeof item === 'string' && VERSION.test(item))
  )
    return false;
  return (
    isInOrder(list, '', 1) && list.some((item, at) => at > 0 && isNewer(String(list[at - 1]), String(item)))
  );
}

/** True if the first version is newer than the second: numbers of the parts are compared from left to right. */
function isNewer(version: string, other: string): boolean {
  const [parts, others] = [version, other].map((text) => text.replace('v', '').split('.').map(Number));
  const at = parts?.findIndex((part, index) => part !== others?.[index]) ?? -1;
  return at >= 0 && (parts?.[at] ?? 0) > (others?.[at] ?? 0);
}
