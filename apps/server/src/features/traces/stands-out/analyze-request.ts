import { setImmediate } from 'node:timers/promises';
import type { UsualDuration } from '@throughline/contract';
import type { Analysis } from '../analysis/analysis-threads.ts';
import {
  type FurtherTrace,
  findFirstDifference,
  findWrongValue,
  type ReadTrace,
} from '../comparison/comparison.ts';
import { type FurtherTexts, parseTrace, parseTraces, type TraceTexts } from '../comparison/trace-texts.ts';
import { examineSteps } from '../statements/read-request.ts';
import { isFailed } from '../store.ts';
import type { ResponseSize } from '../usual/response-size.ts';
import { findGrownList } from './grown-list.ts';
import { applyRules, type RuledStatement } from './stands-out.ts';

/** The weight of this rule is above the weights of all other rules, because a differing value explains why the request failed. */
const DIFFERENCE = { rule: 'differing_value', weight: 2 } as const;
/**
 * The weight of this rule is below the weight of the rule `not_a_number`, because NaN is always wrong, and above the weights of all rules
 * about time.
 */
const WRONG_RESULT = { rule: 'wrong_result', weight: 1.1 } as const;

export interface RequestInput {
  readonly left: TraceTexts;
  readonly usual: UsualDuration | null;
  readonly size: ResponseSize | null;
  /** Successful requests to compare with; undefined if the request is not compared. */
  readonly compared: { readonly right: TraceTexts; readonly goods: readonly FurtherTexts[] } | undefined;
}

export interface AnalyzedRequest {
  readonly ruled: readonly RuledStatement[];
  /** Id of the last step that failed. */
  readonly failing: string | null;
}

/** Finds the statements about a request that need its steps. */
export const analysis: Analysis<RequestInput, AnalyzedRequest> = {
  module: import.meta.url,
  async analyze({ left, usual, size, compared }) {
    const read = await parseTrace(left);
    const { trace, steps } = read;
    const right = compared && (await parseTrace(compared.right));
    const goods = await parseTraces(compared?.goods ?? []);
    const ruled = right === undefined ? [] : findCause(read, right, goods);
    await setImmediate();
    const others = right === undefined ? [] : [right, ...goods].map((other) => other.steps);
    const grown = size === null ? null : findGrownList(steps, others);
    for (const found of applyRules({ trace, steps: examineSteps(trace.id, steps), usual, size, grown })) {
      ruled.push(...found);
      await setImmediate();
    }
    return { ruled, failing: steps.findLast((step) => step.error !== null)?.stepId ?? null };
  },
};

/**
 * Compares a request with successful requests. Finds the value that most likely made the request fail or, if the request succeeded, a wrong
 * value.
 */
function findCause(left: ReadTrace, right: ReadTrace, goods: readonly FurtherTrace[]): RuledStatement[] {
  const failed = isFailed(left.trace);
  const found = failed ? findFirstDifference(left, right, goods) : findWrongValue(left, right, goods);
  if (found === undefined) return [];
  const { text, step } = found;
  const opening = step === null ? {} : { opening: step };
  return [{ text, stepId: step, ...opening, ...(failed ? DIFFERENCE : WRONG_RESULT) }];
}
