import type { Step } from '@throughline/contract';
import { AppError } from '../../../platform/http/errors.ts';
import type { Scope, VisibleProject } from '../../../platform/http/guard.ts';
import { getTraceScope } from '../../../platform/http/serve.ts';
import { runInSlices } from '../../../platform/queues/run-in-slices.ts';
import { boundResults, type TraceStore } from '../../../platform/trace-store/index.ts';
import { MAX_SMALL_BYTES, readUnlessTooLarge } from '../detail/reading-places.ts';
import { SingleReadings } from '../detail/single-readings.ts';
import { findTrace } from '../detail/single-trace-store.ts';
import { findTraceSteps, findWholeTrace } from '../detail/steps.ts';
import type { TraceIn } from '../detail/trace-in.ts';
import { isFailed, type StoredTrace } from '../store.ts';
import { findEndpoint, type TraceEndpoint } from '../usual/usual-store.ts';
import {
  type ComparedRequest,
  listComparable,
  listFurther,
  parseValue,
  type RankedCandidate,
  rankCandidates,
} from './good-request/choose-good-request.ts';
import {
  type Candidate,
  countCommonFunctions,
  findCandidates,
  findReleaseBefore,
} from './good-request/good-request-store.ts';
import type { FurtherTexts, TraceTexts } from './trace-texts.ts';

/** Maximum number of steps of a trace that can be compared. */
export const MAX_COMPARED_STEPS = 20_000;
/** Maximum number of successful requests that are read besides the request to compare with. These requests show which values are usual. */
const MAX_GOODS = 8;
/**
 * Minimum number of successful requests to exactly the same path. If there are fewer, and the path has no route, requests to similar paths
 * are also read to learn the usual values.
 */
const MIN_SAME_PATH = 5;
/**
 * Maximum size in bytes of a successful request that is read besides the request to compare with: `first` for the first `FIRST_GOODS` such
 * requests, `other` for the rest. Reading and comparing all of them then needs little memory and time.
 */
const MAX_GOOD_BYTES = { first: 1024 * 1024, other: 256 * 1024 } as const;
/** Number of successful requests that can have `MAX_GOOD_BYTES.first` bytes. */
const FIRST_GOODS = 5;
/**
 * If the inspected request succeeded, it can still be slow. Successful requests that took at most this share of the inspected request's
 * time are then preferred.
 */
const MAX_SHARE = 0.5;
/** Minimum duration of a slow request. Users do not notice a shorter duration. */
const MIN_SLOW_MICROS = 50_000;

/** A trace with more than {@link MAX_COMPARED_STEPS} steps. */
export interface HugeTrace {
  readonly trace: StoredTrace;
  readonly texts: undefined;
  readonly values: false;
}

export interface ComparisonReader {
  /**
   * Reads a trace with its values. A large trace is read without values, and a trace with more than {@link MAX_COMPARED_STEPS} steps
   * without steps.
   */
  readTrace(scope: Scope, id: string): Promise<TraceTexts | HugeTrace>;
  findEndpoint(scope: Scope, id: string): Promise<TraceEndpoint>;
  /**
   * Ranks the endpoint's successful requests by their similarity to the request `left`. Requests of the same release, and of the release
   * before, come first. If `quicker` is set and `left` succeeded, much quicker requests are preferred.
   */
  rankGoods(
    scope: Scope,
    left: TraceTexts,
    endpoint: TraceEndpoint,
    options: { readonly quicker: boolean },
  ): Promise<readonly RankedCandidate[]>;
  /**
   * Ranks the endpoint's successful requests in the release before a request's release, the most similar first. Returns an empty list if no
   * earlier release is known.
   */
  rankBefore(scope: Scope, left: TraceTexts, endpoint: TraceEndpoint): Promise<readonly RankedCandidate[]>;
  /** Reads the successful requests other than `chosen`. These requests show which values are usual. Skips requests that are too large. */
  readGoods(scope: Scope, ranked: readonly RankedCandidate[], chosen: string): Promise<FurtherTexts[]>;
  /** Reads a successful request to compare with; undefined if the request is too large. */
  readGood(scope: Scope, nearest: RankedCandidate): Promise<TraceTexts | undefined>;
}

/**
 * Builds the reader of traces for comparisons. Reserve a concurrent read with {@link ReadingPlaces} first, because a comparison has up to
 * ten requests in memory.
 */
export function createComparisonReader(store: TraceStore, traceIn: TraceIn): ComparisonReader {
  const small = boundResults(store, MAX_SMALL_BYTES);
  const smaller = boundResults(store, MAX_GOOD_BYTES.first);
  const readings = new SingleReadings();
  const smallest = boundResults(store, MAX_GOOD_BYTES.other);
  /** Reads a request with its values; undefined if the request is too large, or was deleted in the meantime. */
  const readSmall = async (
    scope: Scope,
    id: string,
    bounded: TraceStore,
  ): Promise<TraceTexts | undefined> => {
    const asked = { values: true, parts: 'small' } as const;
    const whole = await readUnlessTooLarge(findWholeTrace(bounded, getTraceScope(scope).projects, id, asked));
    return whole && { trace: whole.trace, texts: whole.steps, values: true };
  };
  const readGood = (scope: Scope, { candidate }: RankedCandidate) => readSmall(scope, candidate.id, smaller);
  return {
    async readTrace(scope, id) {
      const asked = { values: true, parts: 'small' } as const;
      const read = () => traceIn((...where) => findWholeTrace(...where, asked), scope, id, small);
      const whole = await readings.read(id, read, undefined);
      if (whole !== undefined) return { trace: whole.trace, texts: whole.steps, values: true };
      const trace = await traceIn((...where) => findTrace(...where, 'small'), scope, id);
      if (trace.step_count > MAX_COMPARED_STEPS) return { trace, texts: undefined, values: false };
      const texts = await findTraceSteps(store, trace, { values: false });
      return { trace, texts, values: false };
    },
    readGood,
    async readGoods(scope, ranked, chosen) {
      const comparable = listComparable(ranked, chosen);
      const goods = await Promise.all(
        listFurther(ranked, chosen)
          .slice(0, MAX_GOODS)
          .map(async ({ candidate }, at) => {
            const read = await readSmall(scope, candidate.id, at < FIRST_GOODS ? smaller : smallest);
            return read && { ...read, otherInputs: !comparable.has(candidate.id) };
          }),
      );
      return goods.filter((good) => good !== undefined);
    },
    findEndpoint: (scope, id) => traceIn(findEndpoint, scope, id),
    async rankBefore(scope, left, endpoint) {
      const project = findProject(scope, endpoint.project_id);
      const { release } = left.trace;
      const within = release === '' ? undefined : await findReleaseBefore(store, project, endpoint, release);
      if (within === undefined) return [];
      const limits = { release, maxMicros: Number.MAX_SAFE_INTEGER, within };
      const candidates = await findCandidates(store, project, endpoint, limits);
      return rankCandidates(describeRequest(left), candidates, within);
    },
    async rankGoods(scope, left, endpoint, { quicker: isQuickerPreferred }) {
      const project = findProject(scope, endpoint.project_id);
      const { trace } = left;
      const { release } = trace;
      const before = release === '' ? undefined : await findReleaseBefore(store, project, endpoint, release);
      const find = (maxMicros: number) =>
        findCandidates(store, project, endpoint, { release, before, maxMicros });
      const quicker =
        isFailed(trace) || !isQuickerPreferred || trace.duration_micros < MIN_SLOW_MICROS
          ? []
          : await find(Math.floor(trace.duration_micros * MAX_SHARE));
      const candidates = quicker.length > 0 ? quicker : await find(Number.MAX_SAFE_INTEGER);
      const ranked = rankCandidates(describeRequest(left), candidates, before);
      if (endpoint.has_route || ranked.length >= MIN_SAME_PATH) return ranked;
      const similar = await findSimilar(store, project, endpoint, left);
      return [...ranked, ...rankCandidates(describeRequest(left), similar, before)];
    },
  };
}

/**
 * Minimum share of a request's functions that must also have run in a request to a similar path, so that it makes sense to compare the two
 * requests.
 */
const MIN_COMMON_FUNCTIONS = 0.6;
const MAX_FUNCTIONS = 200;

/** Finds successful requests whose path differs in one segment, and in which most of the request's functions ran, too. */
async function findSimilar(
  store: TraceStore,
  project: VisibleProject,
  endpoint: TraceEndpoint,
  { trace, texts }: TraceTexts,
): Promise<Candidate[]> {
  const functions = await listFunctions(texts);
  const candidates = await findCandidates(store, project, endpoint, {
    release: trace.release,
    maxMicros: Number.MAX_SAFE_INTEGER,
    similarPaths: true,
  });
  const ran = await countCommonFunctions(
    store,
    project,
    candidates.map(({ id }) => id),
    functions,
  );
  const enough = Math.max(1, functions.length * MIN_COMMON_FUNCTIONS);
  return candidates.filter(({ id }) => (ran.get(id) ?? 0) >= enough);
}

async function listFunctions(texts: readonly string[]): Promise<string[]> {
  const names = new Set<string>();
  await runInSlices(texts, (text) => {
    const { functionName }: Step = JSON.parse(text);
    if (functionName) names.add(functionName);
  });
  return [...names].slice(0, MAX_FUNCTIONS);
}

export function findProject(scope: Scope, id: string): VisibleProject {
  const project = getTraceScope(scope).projects.find((each) => each.id === id);
  if (project === undefined) throw new AppError('not_found');
  return project;
}

export function describeRequest({ trace, texts }: TraceTexts): ComparedRequest {
  return {
    path: trace.path,
    release: trace.release,
    startMicros: trace.start_micros,
    stepCount: texts.length,
    query: parseValue(trace.request_query),
    body: parseValue(trace.request_body),
  };
}
