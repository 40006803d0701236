import type { ComparisonStatement, Step } from '@throughline/contract';
import type { StoredTrace } from '../store.ts';
import { CallHistory, isMissing } from './call-history.ts';
import { findBrokenEquality } from './cause/broken-equality.ts';
import { CallFlow } from './cause/call-flow.ts';
import { type ComparedFailure, chooseFirst, type FirstDifference } from './cause/choose-first.ts';
import { isQuotedIn } from './cause/failure-texts.ts';
import { isError } from './cause/find-thrown.ts';
import { findForeignInput } from './cause/foreign-input.ts';
import { hasFoundNothing } from './cause/found-nothing.ts';
import { findNotAwaited } from './cause/not-awaited.ts';
import { findOneSidedTest } from './cause/one-sided-results.ts';
import { traceBack } from './cause/trace-back.ts';
import { chooseTracedSteps, MAX_TRACED_STEPS } from './cause/traced-steps.ts';
import { isOdd } from './judge-difference.ts';
import { KnownResults } from './known-results.ts';
import { findBrokenCopy } from './suspects/broken-copy.ts';
import { type ChainContext, findComputation } from './suspects/failure-chain.ts';
import { findClockChange, findFirstComputed, findSuspect } from './suspects/find-suspect.ts';
import { isData } from './suspects/is-data.ts';
import { addChain } from './suspects/write-chain.ts';
import { writeOrigin } from './texts/write-origin.ts';
import { writeFirst, writeNotAwaited } from './texts/write-statements.ts';
import type { Finding } from './walk-differences.ts';
import { findCertain, findWrongCall } from './wrong-result/find-wrong-result.ts';

/** Minimum number of calls, and of distinct texts in these calls. With fewer, a variable and an input could have equal texts by chance. */
const MIN_COPIES = { calls: 3, texts: 2 } as const;

interface ReadRequest {
  readonly trace: StoredTrace;
  readonly steps: readonly Step[];
}

interface Choice {
  readonly failure: ComparedFailure;
  readonly findings: readonly Finding[];
  /** True to describe a value that also differs among successful requests, if there is no other difference. */
  readonly ordinary: boolean;
  /** True to describe the error, if there is no other difference. */
  readonly errors: boolean;
}

/** Describes the difference that most likely led to the failure, or to another result; undefined if there is none. */
export function describeFirst(
  read: ReadRequest,
  goods: readonly ReadRequest[],
  choice: Choice,
): ComparisonStatement | undefined {
  const { trace, steps } = read;
  const { failure, findings } = choice;
  const notAwaited = failure.failed ? findNotAwaited(steps) : undefined;
  if (notAwaited !== undefined) return writeNotAwaited(notAwaited);
  const isTraced = failure.failed || (choice.ordinary && steps.length <= MAX_TRACED_STEPS);
  const traced = isTraced ? chooseTracedSteps(steps) : [];
  const context = traced.length > 0 ? buildContext(traced, goods) : undefined;
  if (context !== undefined && failure.failed) {
    const found = findFailure({ trace, steps: traced }, goods, choice, context);
    if (found !== undefined) return found;
  }
  const first = chooseFirst(findings, failure, choice);
  // If the function that threw found nothing for a key, this key is probably the cause, rather than another input that some function
  // computed.
  const foundNothing = context !== undefined && hasFoundNothing(context.flow.findThrower(), context.history);
  if (context !== undefined && !foundNothing && !(failure.failed && isStrong(first, context))) {
    const suspect = describeSuspect(choice, context);
    if (suspect !== undefined) return suspect;
  }
  const computed =
    context === undefined || first === undefined
      ? undefined
      : isLookup(first)
        ? describeKey(first, choice, context)
        : isOfData(first, context)
          ? describeComputed(choice, context)
          : undefined;
  if (computed !== undefined) return computed;
  if (first === undefined || isError(first.finding)) {
    const thrower = new CallFlow(steps).findThrower();
    const foreign = thrower && findForeignInput(thrower, { trace, steps }, goods);
    if (foreign !== undefined) return foreign;
  }
  if (first === undefined || (!choice.errors && isError(first.finding))) return undefined;
  return withChain(writeFirst(first, findings), failure.failed && !foundNothing ? context : undefined);
}

function buildContext(steps: readonly Step[], goods: readonly ReadRequest[]): ChainContext {
  const known = goods.map((good) => good.steps);
  return { flow: new CallFlow(steps), history: new CallHistory(known), results: new KnownResults(known) };
}

/** Applies the rules for failed requests, one after another, until one finds the cause. */
function findFailure(
  { trace, steps }: ReadRequest,
  goods: readonly ReadRequest[],
  { failure, findings }: Choice,
  context: ChainContext,
): ComparisonStatement | undefined {
  const listCalls = (step: Step) => context.history.list(step);
  const copy = findBrokenCopy(context.flow.listByEnd(), listCalls, MIN_COPIES);
  if (copy !== undefined) return copy;
  const goodSteps = goods.map((good) => good.steps);
  const before = listBeforeFailure(context);
  const unequal = findBrokenEquality(before, goodSteps);
  if (unequal !== undefined) return unequal;
  const certain = findCertain({ trace, steps: before }, goods, failure.given);
  if (certain !== undefined) return certain;
  const origin = traceBack(steps, { history: context.history, given: failure.given });
  if (origin !== undefined) return withChain(writeOrigin(origin, findings, context.history), context);
  return findWrongCall(before, goods) ?? findOneSidedTest(before, goodSteps);
}

/** Lists the calls that ended before the function that threw; all calls if no function threw. */
function listBeforeFailure({ flow }: ChainContext): readonly Step[] {
  const thrower = flow.findThrower();
  return thrower === undefined ? flow.listByEnd() : flow.listFinishedBefore(thrower);
}

/**
 * Describes a function with a sign of a wrong result. In a failed request, a function that computed the value that led to the error comes
 * first. Functions that only looked up values are left out, because such values are rarely the cause.
 */
function describeSuspect(
  { failure, findings }: Choice,
  context: ChainContext,
): ComparisonStatement | undefined {
  const { flow, history } = context;
  if (!failure.failed) {
    const changed = findClockChange(flow.listByEnd(), context);
    if (changed !== undefined) {
      const { text, ...statement } = writeOrigin(changed, findings, history);
      return { ...statement, text: `${text}; clocks change between these times` };
    }
    const suspect = findSuspect(flow.listByEnd(), context);
    return suspect && writeOrigin(suspect, findings, history);
  }
  const thrower = flow.findThrower();
  if (thrower === undefined) return undefined;
  const suspect = findComputation(thrower, context) ?? findSuspect(flow.listFinishedBefore(thrower), context);
  return suspect && withChain(writeOrigin(suspect, findings, history), context);
}

/** True if the difference is in a variable of the function that threw, and the variable has no value: probably a look-up found nothing. */
function isLookup({ finding }: FirstDifference): boolean {
  if (finding.kind !== 'value' || finding.at.left.error === null) return false;
  const { part, path, value } = finding.difference;
  return part === 'localVariables' && path.length === 1 && value !== undefined && isMissing(value);
}

/**
 * True if the difference is in data that the request looked up, and its value is not unusual. Such data differs only because the request's
 * inputs differ.
 */
function isOfData({ finding }: FirstDifference, { flow }: ChainContext): boolean {
  if (finding.kind !== 'value' || finding.difference.part === 'error') return false;
  const { judgement } = finding.difference;
  return (judgement === 'ordinary' || judgement === 'different') && isData(finding.at.left, flow);
}

/** If the request succeeded, describes the first computed value that no successful call returned; see {@link findFirstComputed}. */
function describeComputed(
  { failure, findings }: Choice,
  context: ChainContext,
): ComparisonStatement | undefined {
  if (failure.failed) return undefined;
  const computed = findFirstComputed(context.flow.listByEnd(), context);
  return computed && writeOrigin(computed, findings, context.history);
}

/** Describes the function that computed a key for which another function found nothing. */
function describeKey(
  { finding }: FirstDifference,
  { findings }: Choice,
  context: ChainContext,
): ComparisonStatement | undefined {
  const { left } = finding.at;
  const key = left && findComputation(left, context);
  // A number is not described as the key, because numbers are amounts more often than keys.
  if (typeof key?.value === 'number') return undefined;
  return key && withChain(writeOrigin(key, findings, context.history), context);
}

function withChain(statement: ComparisonStatement, context: ChainContext | undefined): ComparisonStatement {
  return context === undefined ? statement : addChain(statement, context);
}

/**
 * True for a value of a kind, form or size that no successful request had. Also true for the value of a failed function's local variable,
 * if the function's error message contains this value and no call made by the function computed it.
 */
function isStrong(first: FirstDifference | undefined, { flow }: ChainContext): boolean {
  if (first?.finding.kind !== 'value') return false;
  const { at, difference } = first.finding;
  if (isOdd(difference.judgement)) return true;
  const { value } = difference;
  return (
    difference.part === 'localVariables' &&
    isQuotedIn(value, at.left.error?.message ?? '') &&
    flow.findBelow(value, at.left) === undefined
  );
}
