import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { readMembers, readResult } from '../../compare-values.ts';
import { isEqual } from '../../judge-difference.ts';
import { nameStep, writeSide } from '../../texts/write-values.ts';
import { isInOrder, listKeys, readList } from './list-order.ts';

/** Minimum number of other calls of the function. With fewer, the equal order of their lists can be a coincidence. */
const MIN_CALLS = 3;
/** Minimum number of members that a result and a list item have in common. A single member can be equal by chance. */
const MIN_MEMBERS = 2;

interface Changed {
  readonly step: Step;
  readonly name: string;
  readonly before: CapturedValue;
  readonly after: CapturedValue;
}

/**
 * Finds a call that received a list after an earlier call had changed the list's order, such as by sorting the list in place. In all other
 * calls of the function, the lists are sorted by the same member as this list before the change. Prefers a call that returned members of a
 * single item, because such a result depends on the order.
 */
export function findChangedOrder(
  steps: readonly Step[],
  listCalls: (step: Step) => readonly Step[],
): ComparisonStatement | undefined {
  const changed = steps.flatMap(listChanged).sort((a, b) => (a.step.endTime < b.step.endTime ? -1 : 1));
  if (changed.length === 0) return undefined;
  const byAfter = Map.groupBy(changed, ({ after }) => JSON.stringify(after));
  const found = steps.flatMap((step) => listReceived(step, byAfter, listCalls));
  const inOrder = found.sort((a, b) => (a.step.startTime < b.step.startTime ? -1 : 1));
  const [first] = [...inOrder.filter(hasItem), ...inOrder];
  if (first === undefined) return findUnusualChange(changed, steps, listCalls);
  const { step, by } = first;
  return {
    text: `\`${nameStep(by.step)}\` changed the order of \`${by.name}\`, then \`${nameStep(step)}\` received the list in this order and returned ${writeSide(readResult(step))}`,
    step: step.stepId,
    other: null,
  };
}

/** Names of functions that are meant to change the order of a list. */
const ORDERS = /(sort|order|rank|shuffle|reverse)/i;

/**
 * Finds a function that changed the order of a list, although no other call of the function changed an order. Another function received the
 * list later. In the other calls, the list was probably already in the order that the function needs.
 */
function findUnusualChange(
  changed: readonly Changed[],
  steps: readonly Step[],
  listCalls: (step: Step) => readonly Step[],
): ComparisonStatement | undefined {
  for (const { step, name, after } of changed) {
    const calls = listCalls(step).filter(
      (call) => readList(readMembers(call.inputs).get(name)) !== undefined,
    );
    if (
      ORDERS.test(nameStep(step)) ||
      calls.length < MIN_CALLS ||
      calls.some((call) => listChanged(call).length > 0)
    )
      continue;
    const json = JSON.stringify(after);
    const receiver = steps.find(
      (other) =>
        other.startTime >= step.endTime &&
        [...readMembers(other.inputs).values()].some((value) => JSON.stringify(value) === json),
    );
    if (receiver === undefined) continue;
    return {
      text: `\`${nameStep(step)}\` changed the order of \`${name}\` to ${writeSide(after)}, then \`${nameStep(receiver)}\` received the list in this order; no other call of \`${nameStep(step)}\` changed an order`,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

interface Received {
  readonly step: Step;
  readonly by: Changed;
}

/**
 * Finds the changed lists that a call received, if the lists in all other calls of the function are sorted by the same member as the
 * changed list before the change.
 */
function listReceived(
  step: Step,
  byAfter: ReadonlyMap<string, readonly Changed[]>,
  listCalls: (step: Step) => readonly Step[],
): Received[] {
  if (readResult(step) === undefined) return [];
  return [...readMembers(step.inputs)].flatMap(([name, value]) => {
    if (readList(value) === undefined) return [];
    const by = byAfter.get(JSON.stringify(value))?.find(({ step: each }) => each.endTime <= step.startTime);
    if (by === undefined) return [];
    const received = listCalls(step)
      .map((call) => readMembers(call.inputs).get(name))
      .filter((other) => other !== undefined);
    return received.length >= MIN_CALLS && received.every((other) => isOrderedLike(other, by))
      ? [{ step, by }]
      : [];
  });
}

/** True if the call returned at least two members of an item of the list. */
function hasItem({ step, by }: Received): boolean {
  const result = [...readMembers(readResult(step))];
  return (readList(by.after) ?? []).some((item) => {
    const members = readMembers(item);
    return (
      result.filter(([key, value]) => members.has(key) && isEqual(members.get(key), value)).length >=
      MIN_MEMBERS
    );
  });
}

/** Finds the lists that a call received in one order and left in another order. */
function listChanged(step: Step): Changed[] {
  const after = readMembers(step.variables?.parameters);
  return [...readMembers(step.inputs)].flatMap(([name, before]) => {
    const left = after.get(name);
    return left !== undefined && isReordered(before, left) ? [{ step, name, before, after: left }] : [];
  });
}

function isReordered(before: CapturedValue, after: CapturedValue): boolean {
  const [from, to] = [readList(before), readList(after)];
  if (from === undefined || to?.length !== from.length || isEqual(before, after)) return false;
  const sorted = (items: readonly CapturedValue[]) => items.map((item) => JSON.stringify(item)).sort();
  return isEqual(sorted(from), sorted(to));
}

/**
 * True if `other` is in an order (by some member, ascending or descending) that the changed list had before the change and lost by the
 * change.
 */
function isOrderedLike(other: CapturedValue, { before, after }: Changed): boolean {
  const [list, from, to] = [readList(other), readList(before), readList(after)];
  if (list === undefined || from === undefined || to === undefined) return false;
  return listKeys(from).some((key) =>
    [1, -1].some(
      (direction) =>
        isInOrder(from, key, direction) && isInOrder(list, key, direction) && !isInOrder(to, key, direction),
    ),
  );
}
