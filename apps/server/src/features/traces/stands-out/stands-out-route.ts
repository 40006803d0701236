import { routes, type StandsOut } from '@throughline/contract';
import type { Scope } from '../../../platform/http/guard.ts';
import { getTraceScope, type HttpContext, serve } from '../../../platform/http/serve.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { AnalysisThreads } from '../analysis/analysis-threads.ts';
import { type ComparisonReader, findProject } from '../comparison/comparison-reader.ts';
import type { TraceTexts } from '../comparison/trace-texts.ts';
import { MAX_STEPS } from '../comparison/wrong-result/find-wrong-result.ts';
import type { ReadingPlaces } from '../detail/reading-places.ts';
import { isFailed } from '../store.ts';
import { findResponseSize } from '../usual/response-size.ts';
import { findUsual } from '../usual/usual.ts';
import type { TraceEndpoint } from '../usual/usual-store.ts';
import { analyzeInThread } from './analyze-in-thread.ts';
import type { RequestInput } from './analyze-request.ts';
import { describeKnownError } from './known-error.ts';
import { chooseStatements } from './stands-out.ts';
import { type FindKnownErrors, findErrorHistory } from './stands-out-store.ts';

export function registerStandsOut(
  http: HttpContext,
  {
    store,
    reader,
    places,
    threads,
    findKnownErrors,
  }: {
    readonly store: TraceStore;
    readonly reader: ComparisonReader;
    readonly places: ReadingPlaces;
    readonly threads: AnalysisThreads;
    readonly findKnownErrors: FindKnownErrors;
  },
): void {
  /** Reads successful requests to compare with; undefined if the request is not compared. */
  const readCompared = async (
    scope: Scope,
    left: TraceTexts,
    endpoint: TraceEndpoint,
  ): Promise<RequestInput['compared']> => {
    if (!left.values || (!isFailed(left.trace) && left.texts.length > MAX_STEPS)) return undefined;
    const ranked = await reader.rankGoods(scope, left, endpoint, { quicker: false });
    const [nearest] = ranked;
    if (nearest === undefined) return undefined;
    const [right, goods] = await Promise.all([
      reader.readGood(scope, nearest),
      reader.readGoods(scope, ranked, nearest.candidate.id),
    ]);
    return right && { right, goods };
  };

  const describe = async (
    scope: Scope,
    endpoint: TraceEndpoint,
    isGone: () => boolean,
  ): Promise<StandsOut> => {
    const read = await reader.readTrace(scope, endpoint.id);
    const { trace } = read;
    const left = { trace, texts: read.texts ?? [], values: read.values };
    const project = findProject(scope, trace.project_id);
    const readHistory = async () =>
      findErrorHistory(store, project, trace, await findKnownErrors(project.id));
    const [usual, size, compared, history] = await Promise.all([
      findUsual(store, getTraceScope(scope).projects, endpoint),
      findResponseSize(store, project, { trace, endpoint }),
      readCompared(scope, left, endpoint),
      isFailed(trace) ? readHistory() : undefined,
    ]);
    const { ruled, failing } = await analyzeInThread(threads, {
      input: { left, usual, size, compared },
      project: trace.project_id,
      isGone,
    });
    if (history === undefined) return chooseStatements(ruled, { failed: false });
    const known = describeKnownError(trace, history, failing);
    return chooseStatements([{ ...known, rule: 'known_error' }, ...ruled], { failed: true });
  };

  serve(http, routes.traces.standsOut, async ({ params, scope, reply }) => {
    const endpoint = await reader.findEndpoint(scope, params.id);
    const leave = await places.enter(endpoint.project_id);
    try {
      return await describe(scope, endpoint, () => reply.raw.destroyed);
    } finally {
      leave();
    }
  });
}
