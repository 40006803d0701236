import type { Step } from '@throughline/contract';
import { writeInputsKey } from './inputs-key.ts';
import { findLongestRising } from './longest-rising.ts';

/**
 * Pairs the calls that one caller made of one function in two requests. Returns the index of the right call for each left call; undefined
 * for a call that only the left request made.
 *
 * If both requests made the same number of calls, the n-th calls are paired. Otherwise calls with equal inputs are paired first, so that an
 * additional call at the beginning does not shift the pairs of all later calls. The remaining calls between two such pairs are paired in
 * order.
 */
export function pairCalls(left: readonly Step[], right: readonly Step[]): readonly (number | undefined)[] {
  if (left.length === right.length) return left.map((_, index) => index);
  if (left.length === 0 || right.length === 0) return left.map(() => undefined);
  const equal = pairEqualInputs(left, right);
  const kept = findLongestRising(equal);
  const partners: (number | undefined)[] = left.map(() => undefined);
  let [fromLeft, fromRight] = [0, 0];
  const pairUntil = (toLeft: number, toRight: number) => {
    const count = Math.min(toLeft - fromLeft, toRight - fromRight);
    for (let at = 0; at < count; at += 1) partners[fromLeft + at] = fromRight + at;
  };
  for (const [index, partner] of equal.entries()) {
    if (partner === undefined || !kept.has(index)) continue;
    pairUntil(index, partner);
    partners[index] = partner;
    [fromLeft, fromRight] = [index + 1, partner + 1];
  }
  pairUntil(left.length, right.length);
  return partners;
}

/** Among calls with equal inputs, pairs the n-th call of the left request with the n-th call of the right request. */
function pairEqualInputs(left: readonly Step[], right: readonly Step[]): (number | undefined)[] {
  const waiting = new Map<string, number[]>();
  for (const [index, step] of right.entries()) {
    const key = writeInputsKey(step);
    const places = waiting.get(key);
    if (places === undefined) waiting.set(key, [index]);
    else places.push(index);
  }
  const taken = new Map<string, number>();
  return left.map((step) => {
    const key = writeInputsKey(step);
    const count = taken.get(key) ?? 0;
    taken.set(key, count + 1);
    return waiting.get(key)?.[count];
  });
}
