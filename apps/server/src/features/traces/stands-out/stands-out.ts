import type { StandOutRule, StandsOut } from '@throughline/contract';
import type { ReadRequest, Statement } from '../statements/read-request.ts';
import { findRetries } from '../statements/retries.ts';
import { findBlockedEventLoop } from './blocked-event-loop.ts';
import { findLargerResponse } from './larger-response.ts';
import { findNotANumber } from './not-a-number.ts';
import { findRepeatedCall } from './repeated-call.ts';
import { findSequentialAwaits } from './sequential-awaits.ts';
import { findSlowDependency } from './slow-dependency.ts';
import { findSlowerThanUsual } from './slower-than-usual.ts';

const MAX_STATEMENTS = 3;

/** The rules that need only the request and its endpoint's usual duration and size. */
const RULES: readonly (readonly [StandOutRule, (request: ReadRequest) => readonly Statement[]])[] = [
  ['not_a_number', findNotANumber],
  ['repeated_call', findRepeatedCall],
  ['retries', findRetries],
  ['blocked_event_loop', findBlockedEventLoop],
  ['sequential_awaits', findSequentialAwaits],
  ['slow_dependency', findSlowDependency],
  ['slower_than_usual', findSlowerThanUsual],
  ['larger_response', findLargerResponse],
];

export interface RuledStatement extends Statement {
  readonly rule: StandOutRule;
}

/**
 * Applies all rules to a request's steps. After each rule, yields the rule's statement with the highest weight, or an empty list. A rule
 * takes up to 30 ms for a large trace, so let the event loop run between two rules.
 */
export function* applyRules(request: ReadRequest): Generator<readonly RuledStatement[]> {
  for (const [rule, find] of RULES) {
    const [gravest] = [...find(request)].sort((a, b) => b.weight - a.weight);
    yield gravest === undefined ? [] : [{ ...gravest, rule }];
  }
}

/**
 * Rules about time. A statement of such a rule shows the cause only if the request was successful and the statement has the highest weight.
 */
const TIME_RULES: readonly StandOutRule[] = ['retries', 'repeated_call'];

/** Returns the statements with the highest weights, highest first, and the step of the first statement that shows a cause. */
export function chooseStatements(
  statements: readonly RuledStatement[],
  { failed }: { readonly failed: boolean },
): StandsOut {
  const chosen = [...statements].sort((a, b) => b.weight - a.weight).slice(0, MAX_STATEMENTS);
  const cause = chosen.find(
    ({ rule, opening }, at) => opening !== undefined && (!TIME_RULES.includes(rule) || (!failed && at === 0)),
  );
  return {
    statements: chosen.map(({ rule, text, stepId }) => ({ rule, text, stepId })),
    opening: cause?.opening ?? null,
  };
}
