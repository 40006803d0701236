import type { CapturedValue } from '@throughline/contract';
import { listParts } from '@throughline/contract/captured';

/** A list with fewer items has no order. */
export const MIN_ITEMS = 2;
const MAX_ITEMS = 1000;

type Sortable = number | string;

/** Returns the items of a list; undefined for another value, and for a list that is too short or too long. */
export function readList(value: CapturedValue | undefined): readonly CapturedValue[] | undefined {
  if (value === undefined) return undefined;
  const { children } = listParts(value);
  if (children.length < MIN_ITEMS || children.length > MAX_ITEMS) return undefined;
  return children.every(({ label }) => label.kind === 'index')
    ? children.map((child) => child.value)
    : undefined;
}

/** Lists the members by which a list's items can be sorted. The empty string stands for the items themselves. */
export function listKeys(list: readonly CapturedValue[]): readonly string[] {
  const [first] = list;
  if (first === undefined) return [];
  if (toSortable(first) !== undefined) return [''];
  const members = listParts(first).children.flatMap(({ label, value }) =>
    label.kind === 'key' && toSortable(value) !== undefined ? [{ key: label.text, value }] : [],
  );
  // Puts members with texts last: lists are more often sorted by a number or date than by a text such as an id.
  const isText = ({ value }: (typeof members)[number]) => typeof value === 'string';
  return [...members.filter((member) => !isText(member)), ...members.filter(isText)].map(({ key }) => key);
}

/** True if a list is in order by a member of its items; `direction` is 1 for ascending and -1 for descending order. */
export function isInOrder(list: readonly CapturedValue[], key: string, direction: number): boolean {
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
