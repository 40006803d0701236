import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { listParts } from '@throughline/contract/captured';
import { readResult } from '../compare-values.ts';
import { nameStep, writeSide } from '../write-values.ts';

/** Fewer or shorter lists can be in order by chance. */
const MIN_CALLS = 3;
const MIN_ITEMS = 2;
/** At least one of the lists in order must have this many items. */
const MIN_LONGEST = 3;
const MAX_ITEMS = 1000;

type Sortable = number | string;

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

function readList(value: CapturedValue | undefined): readonly CapturedValue[] | undefined {
  if (value === undefined) return undefined;
  const { children } = listParts(value);
  if (children.length < MIN_ITEMS || children.length > MAX_ITEMS) return undefined;
  return children.every(({ label }) => label.kind === 'index')
    ? children.map((child) => child.value)
    : undefined;
}

function readLists(inputs: CapturedValue | undefined): (readonly CapturedValue[])[] {
  if (inputs === undefined) return [];
  return listParts(inputs).children.flatMap(({ value }) => {
    const list = readList(value);
    return list === undefined ? [] : [list];
  });
}

/** Lists the members by which a list's items can be sorted. The empty string stands for the items themselves. */
function listKeys(list: readonly CapturedValue[]): readonly string[] {
  const [first] = list;
  if (first === undefined) return [];
  if (toSortable(first) !== undefined) return [''];
  const members = listParts(first).children.flatMap(({ label, value }) =>
    label.kind === 'key' && toSortable(value) !== undefined ? [{ key: label.text, value }] : [],
  );
  // Lists are more often sorted by a number or date than by a text such as an id.
  const isText = ({ value }: (typeof members)[number]) => typeof value === 'string';
  return [...members.filter((member) => !isText(member)), ...members.filter(isText)].map(({ key }) => key);
}

function isInOrder(list: readonly CapturedValue[], key: string, direction: number): boolean {
  const values = list.map((item) => toSortable(key === '' ? item : readMember(item, key)));
  return values.every((value, at) => {
    const before = at === 0 ? value : values[at - 1];
    if (value === undefined || before === undefined || typeof value !== typeof before) return false;
    return direction > 0 ? before <= value : before >= value;
  });
}

function readMember(item: CapturedValue, key: string): CapturedValue | undefined {
  return listParts(item).children.find(({ label }) => label.kind === 'key' && label.text === key)?.value;
}

function toSortable(value: CapturedValue | undefined): Sortable | undefined {
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || !('$type' in value) || value.$type !== 'Date')
    return undefined;
  return 'value' in value && typeof value.value === 'string' ? value.value : undefined;
}
