import type { ComparisonStatement, Step } from '@throughline/contract';
import { type AlignedStep, identifyCall } from '../align-steps.ts';
import type { GivenValues } from '../cause/given-values.ts';
import { oncePer } from '../once-per.ts';
import { findBrokenCopy } from '../suspects/broken-copy.ts';
import { writeFirst } from '../texts/write-statements.ts';
import type { Finding } from '../walk-differences.ts';
import { findBrokenCopy as findBrokenMember } from './broken-copy.ts';
import { findBrokenText } from './broken-text.ts';
import { findCachedForOther } from './calls/other-inputs-cache.ts';
import { findRepeatedEffect } from './calls/repeated-effect.ts';
import { findStaleRead } from './calls/stale-read.ts';
import { findSwallowed } from './calls/swallowed-error.ts';
import { findUnawaitedValue } from './calls/unawaited-value.ts';
import { findUnfinished } from './calls/unfinished-call.ts';
import { findKeptState, type ReadRequest } from './kept-state.ts';
import { findChangedOrder } from './lists/changed-order.ts';
import { findLostOrder } from './lists/lost-order.ts';
import { findTextOrder } from './lists/text-order.ts';
import { findIgnoredDigits, findMisread } from './misread-number.ts';
import { findMissedPart } from './missed-part.ts';
import { findMissing } from './missing-result.ts';
import { findNearlyEqual } from './nearly-equal.ts';
import { findOtherKind } from './other-kind.ts';
import { findReplaced } from './replaced-default.ts';
import { findShadowed } from './shadowed-variable.ts';
import { findTimeUnit } from './time-unit.ts';
import { findTruncated } from './truncated-number.ts';

/** Requests with more steps are not searched, because the search would take too long. */
export const MAX_STEPS = 2000;
/** Maximum number of other calls that each call is compared with. */
const MAX_CALLS = 50;
const MIN_COPIES = { calls: 4, texts: 3 } as const;
const SORTS = /\b(sort|toSorted)\(\) callback$/;

interface Compared {
  readonly trace: ReadRequest['trace'];
  readonly findings: readonly Finding[];
  readonly given: GivenValues;
}

/**
 * Finds a function's result that is wrong although the request succeeded. Since nothing else shows that anything is wrong with such a
 * request, each rule describes a mistake that correct code hardly ever contains.
 */
export function findWrongResult(
  roots: readonly AlignedStep[],
  goods: readonly { readonly steps: readonly Step[] }[],
  { trace, findings, given }: Compared,
): ComparisonStatement | undefined {
  const steps = listByEnd(roots);
  if (steps.length > MAX_STEPS) return undefined;
  const found = findCertain({ trace, steps }, goods, given) ?? findWrongCall(steps, goods);
  if (found !== undefined) return found;
  const listCalls = groupCalls(goods);
  const missing = findMissing(findings, { given, listCalls });
  return missing && writeFirst({ finding: missing, after: undefined }, findings);
}

/**
 * Finds a mistake by the most certain rules. In a failed request, too, such a mistake is described before other differences. `steps` are
 * listed in the order in which they ended.
 */
export function findCertain(
  { trace, steps }: ReadRequest,
  goods: readonly { readonly steps: readonly Step[] }[],
  given: GivenValues,
): ComparisonStatement | undefined {
  if (steps.length > MAX_STEPS) return undefined;
  const goodRequests = goods.map((good) => good.steps);
  const listCalls = groupCalls(goods);
  return (
    findUnawaitedValue(steps) ??
    findKeptState({ trace, steps }, goodRequests, given) ??
    findFirst(steps, findTextOrder) ??
    findFirst(steps, (step) => findTruncated(step, listCalls(step)))
  );
}

/** Finds a wrong result among calls, which are listed in the order in which they ended. */
export function findWrongCall(
  steps: readonly Step[],
  goods: readonly { readonly steps: readonly Step[] }[],
): ComparisonStatement | undefined {
  if (steps.length > MAX_STEPS) return undefined;
  const goodRequests = goods.map((good) => good.steps);
  const listCalls = groupCalls(goods);
  const sorting = new Set(
    [...steps, ...goodRequests.flat()].flatMap(({ stepName, parentStepId }) =>
      parentStepId !== null && SORTS.test(stepName) ? [parentStepId] : [],
    ),
  );
  const isSorting = (step: Step) => [step, ...listCalls(step)].some(({ stepId }) => sorting.has(stepId));
  return (
    findRepeatedEffect(steps, goodRequests) ??
    findStaleRead(steps, goodRequests) ??
    findUnfinished(steps, { goods: goodRequests, listCalls }) ??
    findFirst(steps, (step) => findBrokenText(step, listCalls(step))) ??
    findFirst(steps, findShadowed) ??
    findFirst(steps, (step) => findMisread(step, listCalls(step))) ??
    findFirst(steps, (step) => findIgnoredDigits(step, listCalls(step))) ??
    findFirst(steps, (step) => findReplaced(step, listCalls(step))) ??
    findNearlyEqual(steps, listCalls) ??
    findFirst(steps, (step) => findLostOrder(step, listCalls(step), isSorting(step))) ??
    findChangedOrder(steps, listCalls) ??
    findTimeUnit(steps, goodRequests) ??
    findFirst(steps, (step) => findBrokenMember(step, listCalls(step))) ??
    findMissedPart(steps, listCalls) ??
    findFirst(steps, (step) => findOtherKind(step, listCalls(step))) ??
    findSwallowed(steps, goodRequests) ??
    findCachedForOther(steps, goodRequests) ??
    findBrokenCopy(steps, listCalls, MIN_COPIES)
  );
}

/** Returns a function that lists calls of a step's function in successful requests. */
const groupCalls = oncePer((goods: readonly { readonly steps: readonly Step[] }[]) => {
  const calls = Map.groupBy(
    goods.flatMap((good) => good.steps),
    identifyCall,
  );
  return (step: Step): readonly Step[] => (calls.get(identifyCall(step)) ?? []).slice(0, MAX_CALLS);
});

function findFirst<Found>(
  steps: readonly Step[],
  find: (step: Step) => Found | undefined,
): Found | undefined {
  for (const step of steps) {
    const found = find(step);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Lists a request's steps so that each step follows the steps that it called: a caller's wrong result follows from the wrong results of the
 * functions that it called.
 */
function listByEnd(roots: readonly AlignedStep[]): Step[] {
  const listed: Step[] = [];
  const pending = [...roots];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.left !== undefined) listed.push(next.left);
    pending.push(...next.children);
  }
  return listed.reverse();
}
