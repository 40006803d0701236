import { AppError } from '../../../platform/http/errors.ts';
import type { Scope, VisibleProject } from '../../../platform/http/guard.ts';
import { getTraceScope } from '../../../platform/http/serve.ts';
import { boundedResults, type TraceStore } from '../../../platform/trace-store/index.ts';
import { MAX_SMALL_BYTES, unlessTooLarge } from '../detail/reading-places.ts';
import { findTrace } from '../detail/single-trace-store.ts';
import { findWholeTrace, stepsOfTrace } from '../detail/steps.ts';
import type { TraceIn } from '../detail/trace-in.ts';
import type { StoredTrace } from '../store.ts';
import { findEndpoint, type TraceEndpoint } from '../usual/usual-store.ts';
import {
  type ComparedRequest,
  parseValue,
  type RankedCandidate,
  rankCandidates,
} from './choose-good-request.ts';
import { type ReadTrace, readSteps } from './comparison.ts';
import { findCandidates, findReleaseBefore } from './good-request-store.ts';

/** Steps of a trace that can be compared. */
export const MAX_COMPARED_STEPS = 20_000;
/** Further successes that say which values differ anyway, and how large each may be. */
const MAX_GOODS = 4;
const MAX_GOOD_BYTES = 1024 * 1024;
/** Beside a request that went well, one that took half of its time at most is preferred: the request may be a slow one. */
const MAX_SHARE = 0.5;

/** A trace of more than {@link MAX_COMPARED_STEPS} steps. */
export interface HugeTrace {
  readonly trace: StoredTrace;
  readonly steps: undefined;
  readonly values: false;
}

export interface ComparisonReader {
  /** Reads a trace with its values; a larger one without them, and one of more than {@link MAX_COMPARED_STEPS} steps without its steps. */
  readTrace(scope: Scope, id: string): Promise<ReadTrace | HugeTrace>;
  findEndpoint(scope: Scope, id: string): Promise<TraceEndpoint>;
  /** Ranks successes of the endpoint by how near they are to a request. */
  rankGoods(scope: Scope, left: ReadTrace, endpoint: TraceEndpoint): Promise<readonly RankedCandidate[]>;
  /** Ranks successes of the endpoint in the release before a request's, the nearest first; none if no earlier release is known. */
  rankBefore(scope: Scope, left: ReadTrace, endpoint: TraceEndpoint): Promise<readonly RankedCandidate[]>;
  /** Reads the further successes that say which values differ anyway. */
  readGoods(scope: Scope, ranked: readonly RankedCandidate[]): Promise<ReadTrace[]>;
}

/** Reads what a comparison needs. Enter a reading place before: up to six requests are held at a time. */
export function createComparisonReader(store: TraceStore, traceIn: TraceIn): ComparisonReader {
  const small = boundedResults(store, MAX_SMALL_BYTES);
  const smaller = boundedResults(store, MAX_GOOD_BYTES);
  return {
    async readTrace(scope, id) {
      const asked = { values: true, parts: 'small' } as const;
      const whole = await unlessTooLarge(
        traceIn((...where) => findWholeTrace(...where, asked), scope, id, small),
      );
      if (whole !== undefined) return { trace: whole.trace, steps: readSteps(whole.steps), values: true };
      const trace = await traceIn((...where) => findTrace(...where, 'small'), scope, id);
      if (trace.step_count > MAX_COMPARED_STEPS) return { trace, steps: undefined, values: false };
      const texts = await stepsOfTrace(store, trace, { values: false });
      return { trace, steps: readSteps(texts), values: false };
    },
    async readGoods(scope, ranked) {
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
    },
    findEndpoint: (scope, id) => traceIn(findEndpoint, scope, id),
    async rankBefore(scope, left, endpoint) {
      const project = findProject(scope, endpoint.project_id);
      const { release } = left.trace;
      const within = release === '' ? undefined : await findReleaseBefore(store, project, endpoint, release);
      if (within === undefined) return [];
      const limits = { release, maxMicros: Number.MAX_SAFE_INTEGER, within };
      return rankCandidates(describeRequest(left), await findCandidates(store, project, endpoint, limits));
    },
    async rankGoods(scope, left, endpoint) {
      const project = findProject(scope, endpoint.project_id);
      const { trace } = left;
      const find = (maxMicros: number) =>
        findCandidates(store, project, endpoint, { release: trace.release, maxMicros });
      const quicker = isFailed(trace) ? [] : await find(Math.floor(trace.duration_micros * MAX_SHARE));
      const candidates = quicker.length > 0 ? quicker : await find(Number.MAX_SAFE_INTEGER);
      return rankCandidates(describeRequest(left), candidates);
    },
  };
}

export function isFailed({ has_error, status_code }: StoredTrace): boolean {
  return has_error || (status_code ?? 0) >= 400;
}

export function findProject(scope: Scope, id: string): VisibleProject {
  const project = getTraceScope(scope).projects.find((each) => each.id === id);
  if (project === undefined) throw new AppError('not_found');
  return project;
}

export function describeRequest({ trace, steps }: ReadTrace): ComparedRequest {
  return {
    path: trace.path,
    release: trace.release,
    startMicros: trace.start_micros,
    stepCount: steps.length,
    query: parseValue(trace.request_query),
    body: parseValue(trace.request_body),
  };
}
