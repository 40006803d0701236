import { routes, type StandsOut } from '@throughline/contract';
import type { Scope } from '../../../platform/http/guard.ts';
import { getTraceScope, type HttpContext, serve } from '../../../platform/http/serve.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { listFurther } from '../comparison/choose-good-request.ts';
import { findFirstDifference, type ReadTrace } from '../comparison/comparison.ts';
import { type ComparisonReader, findProject, isFailed } from '../comparison/comparison-reader.ts';
import type { ReadingPlaces } from '../detail/reading-places.ts';
import { findUsual } from '../usual/usual.ts';
import type { TraceEndpoint } from '../usual/usual-store.ts';
import { describeKnownError } from './known-error.ts';
import { lookAtSteps } from './read-request.ts';
import { applyRules, chooseStatements, type RuledStatement } from './stands-out.ts';
import { findErrorHistory } from './stands-out-store.ts';

/** Ranks above all rules, because it explains why the request failed. */
const DIFFERENCE_WEIGHT = 2;

export function registerStandsOut(
  http: HttpContext,
  {
    store,
    reader,
    places,
  }: { readonly store: TraceStore; readonly reader: ComparisonReader; readonly places: ReadingPlaces },
): void {
  /** Finds the first value that differs from successful requests, if there are successful requests. */
  const findDifference = async (
    scope: Scope,
    left: ReadTrace,
    endpoint: TraceEndpoint,
  ): Promise<RuledStatement[]> => {
    if (!left.values) return [];
    const ranked = await reader.rankGoods(scope, left, endpoint);
    const [nearest] = ranked;
    if (nearest === undefined) return [];
    const [right, ...goods] = await reader.readGoods(scope, [
      nearest,
      ...listFurther(ranked, nearest.candidate.id),
    ]);
    const first = right && findFirstDifference(left, right, goods);
    if (first === undefined) return [];
    return [
      {
        rule: 'differing_value',
        text: first.text,
        stepId: first.step,
        weight: DIFFERENCE_WEIGHT,
        ...(first.step === null ? {} : { opening: first.step }),
      },
    ];
  };

  const describe = async (scope: Scope, id: string): Promise<StandsOut> => {
    const read = await reader.readTrace(scope, id);
    const { trace } = read;
    const endpoint = await reader.findEndpoint(scope, trace.id);
    const usual = await findUsual(store, getTraceScope(scope).projects, endpoint);
    const steps = read.steps ?? [];
    const ruled = applyRules({ trace, steps: lookAtSteps(trace.id, steps), usual });
    if (!isFailed(trace)) return chooseStatements(ruled, { failed: false });
    const [differing, history] = await Promise.all([
      read.steps === undefined ? [] : findDifference(scope, read, endpoint),
      findErrorHistory(store, findProject(scope, trace.project_id), trace),
    ]);
    const failing = steps.findLast((step) => step.error !== null)?.stepId ?? null;
    const known = describeKnownError(trace, history, failing);
    return chooseStatements([...differing, { ...known, rule: 'known_error' }, ...ruled], { failed: true });
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
