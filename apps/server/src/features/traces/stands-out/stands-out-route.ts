import { setImmediate } from 'node:timers/promises';
import { routes, type StandsOut } from '@throughline/contract';
import type { Scope } from '../../../platform/http/guard.ts';
import { getTraceScope, type HttpContext, serve } from '../../../platform/http/serve.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { findFirstDifference, findWrongValue, type ReadTrace } from '../comparison/comparison.ts';
import { type ComparisonReader, findProject } from '../comparison/comparison-reader.ts';
import { MAX_STEPS } from '../comparison/wrong-result/find-wrong-result.ts';
import type { ReadingPlaces } from '../detail/reading-places.ts';
import { examineSteps } from '../statements/read-request.ts';
import { isFailed } from '../store.ts';
import { findUsual } from '../usual/usual.ts';
import type { TraceEndpoint } from '../usual/usual-store.ts';
import { describeKnownError } from './known-error.ts';
import { applyRules, chooseStatements, type RuledStatement } from './stands-out.ts';
import { findErrorHistory } from './stands-out-store.ts';

/** The weight is above those of all rules, because a differing value explains why the request failed. */
const DIFFERENCE = { rule: 'differing_value', weight: 2 } as const;
/** The weight is below that of NaN, which is always wrong, and above those of all rules about time. */
const WRONG_RESULT = { rule: 'wrong_result', weight: 1.1 } as const;

export function registerStandsOut(
  http: HttpContext,
  {
    store,
    reader,
    places,
  }: { readonly store: TraceStore; readonly reader: ComparisonReader; readonly places: ReadingPlaces },
): void {
  /**
   * Finds the value that most likely led to a failure, or a wrong result of a successful request, by comparing the request with successful
   * requests.
   */
  const findCause = async (
    scope: Scope,
    left: ReadTrace,
    endpoint: TraceEndpoint,
  ): Promise<RuledStatement[]> => {
    const failed = isFailed(left.trace);
    if (!left.values || (!failed && left.steps.length > MAX_STEPS)) return [];
    const ranked = await reader.rankGoods(scope, left, endpoint, { quicker: false });
    const [nearest] = ranked;
    if (nearest === undefined) return [];
    const [right, goods] = await Promise.all([
      reader.readGood(scope, nearest),
      reader.readGoods(scope, ranked, nearest.candidate.id),
    ]);
    if (right === undefined) return [];
    const found = failed ? findFirstDifference(left, right, goods) : findWrongValue(left, right, goods);
    if (found === undefined) return [];
    const { text, step } = found;
    const opening = step === null ? {} : { opening: step };
    return [{ text, stepId: step, ...opening, ...(failed ? DIFFERENCE : WRONG_RESULT) }];
  };

  const describe = async (scope: Scope, id: string): Promise<StandsOut> => {
    const [read, endpoint] = await Promise.all([reader.readTrace(scope, id), reader.findEndpoint(scope, id)]);
    const { trace } = read;
    const steps = read.steps ?? [];
    const [usual, cause, history] = await Promise.all([
      findUsual(store, getTraceScope(scope).projects, endpoint),
      read.steps === undefined ? [] : findCause(scope, read, endpoint),
      isFailed(trace) ? findErrorHistory(store, findProject(scope, trace.project_id), trace) : undefined,
    ]);
    const ruled = [...cause];
    for (const found of applyRules({ trace, steps: examineSteps(trace.id, steps), usual })) {
      ruled.push(...found);
      await setImmediate();
    }
    if (history === undefined) return chooseStatements(ruled, { failed: false });
    const failing = steps.findLast((step) => step.error !== null)?.stepId ?? null;
    const known = describeKnownError(trace, history, failing);
    return chooseStatements([{ ...known, rule: 'known_error' }, ...ruled], { failed: true });
  };

  serve(http, routes.traces.standsOut, async ({ params, scope, caller }) => {
    const leave = await places.enter(caller.userId);
    try {
      return await describe(scope, params.id);
    } finally {
      leave();
    }
  });
}
