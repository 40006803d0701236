import { routes, type TraceComparison } from '@throughline/contract';
import { AppError } from '../../../platform/http/errors.ts';
import type { Scope, VisibleProject } from '../../../platform/http/guard.ts';
import { getTraceScope, type HttpContext, serve } from '../../../platform/http/serve.ts';
import { boundedResults, type TraceStore } from '../../../platform/trace-store/index.ts';
import { MAX_SMALL_BYTES, type ReadingPlaces, unlessTooLarge } from '../detail/reading-places.ts';
import { type FindTrace, findTrace } from '../detail/single-trace-store.ts';
import { findWholeTrace, stepsOfTrace } from '../detail/steps.ts';
import type { StoredTrace } from '../store.ts';
import { findEndpoint } from '../usual/usual-store.ts';
import {
  type ComparedRequest,
  parseValue,
  type RankedCandidate,
  rankCandidates,
  writeReason,
} from './choose-good-request.ts';
import { compareTraces, type ReadTrace, readSteps } from './comparison.ts';
import { findCandidates } from './good-request-store.ts';

/** Steps of a trace that can be compared. */
const MAX_STEPS = 20_000;
/** Further successes that say which values differ anyway, and how large each may be. */
const MAX_GOODS = 4;
const MAX_GOOD_BYTES = 1024 * 1024;
/** A success that took longer than half of a slow request is no better. */
const MAX_SHARE = 0.5;

export type TraceIn = <Found>(
  find: FindTrace<Found>,
  scope: Scope,
  id: string,
  from?: TraceStore,
) => Promise<Found>;

export function registerComparison(
  http: HttpContext,
  {
    store,
    traceIn,
    places,
  }: { readonly store: TraceStore; readonly traceIn: TraceIn; readonly places: ReadingPlaces },
): void {
  const small = boundedResults(store, MAX_SMALL_BYTES);
  const smaller = boundedResults(store, MAX_GOOD_BYTES);

  const readTrace = async (scope: Scope, id: string): Promise<ReadTrace> => {
    const asked = { values: true, parts: 'small' } as const;
    const whole = await unlessTooLarge(
      traceIn((...where) => findWholeTrace(...where, asked), scope, id, small),
    );
    if (whole !== undefined) return { trace: whole.trace, steps: readSteps(whole.steps), values: true };
    const trace = await traceIn((...where) => findTrace(...where, 'small'), scope, id);
    checkSteps(trace);
    const texts = await stepsOfTrace(store, trace, { values: false });
    return { trace, steps: readSteps(texts), values: false };
  };
  const readGoods = async (scope: Scope, ranked: readonly RankedCandidate[]): Promise<ReadTrace[]> => {
    const goods: ReadTrace[] = [];
    for (const { candidate } of ranked.slice(0, MAX_GOODS)) {
      const asked = { values: true, parts: 'heads' } as const;
      // A success that is too large, or was deleted meanwhile, is passed over.
      const whole = await unlessTooLarge(
        findWholeTrace(smaller, getTraceScope(scope).projects, candidate.id, asked),
      );
      if (whole !== undefined)
        goods.push({ trace: whole.trace, steps: readSteps(whole.steps), values: true });
    }
    return goods;
  };
  const rankGoods = async (scope: Scope, left: ReadTrace): Promise<readonly RankedCandidate[]> => {
    const endpoint = await traceIn(findEndpoint, scope, left.trace.id);
    const project = findProject(scope, endpoint.project_id);
    const failed = left.trace.has_error || (left.trace.status_code ?? 0) >= 400;
    const maxMicros = failed ? Number.MAX_SAFE_INTEGER : Math.floor(left.trace.duration_micros * MAX_SHARE);
    const candidates = await findCandidates(store, project, endpoint, {
      release: left.trace.release,
      maxMicros,
    });
    return rankCandidates(describeRequest(left), candidates);
  };
  const compare = async (scope: Scope, id: string, other: string): Promise<TraceComparison | null> => {
    const left = await readTrace(scope, id);
    const ranked = await rankGoods(scope, left);
    const [nearest] = ranked;
    const chosen = other === 'good' ? nearest?.candidate.id : other.toLowerCase();
    if (chosen === undefined) return null;
    const right = await readTrace(scope, chosen);
    const goods = await readGoods(
      scope,
      ranked.filter(({ candidate }) => candidate.id !== chosen),
    );
    const reason =
      other === 'good' && nearest !== undefined ? writeReason(describeRequest(left), nearest) : null;
    return compareTraces(left, right, goods, reason);
  };

  serve(http, routes.traces.compare, async ({ params, query, scope, caller }) => {
    const leave = await places.enter(caller.userId);
    try {
      return { comparison: await compare(scope, params.id, query.with) };
    } finally {
      leave();
    }
  });
}

function checkSteps({ step_count: steps }: StoredTrace): void {
  if (steps <= MAX_STEPS) return;
  throw new AppError(
    'validation_failed',
    `A trace of ${steps} steps cannot be compared: ${MAX_STEPS} steps at most. Compare two smaller requests.`,
  );
}

function findProject(scope: Scope, id: string): VisibleProject {
  const project = getTraceScope(scope).projects.find((each) => each.id === id);
  if (project === undefined) throw new AppError('not_found');
  return project;
}

function describeRequest({ trace, steps }: ReadTrace): ComparedRequest {
  return {
    path: trace.path,
    release: trace.release,
    startMicros: trace.start_micros,
    stepCount: steps.length,
    query: parseValue(trace.request_query),
    body: parseValue(trace.request_body),
  };
}
