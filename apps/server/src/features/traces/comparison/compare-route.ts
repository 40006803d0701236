import { routes, type TraceComparison } from '@throughline/contract';
import { AppError } from '../../../platform/http/errors.ts';
import type { Scope } from '../../../platform/http/guard.ts';
import { type HttpContext, serve } from '../../../platform/http/serve.ts';
import type { AnalysisThreads } from '../analysis/analysis-threads.ts';
import type { ReadingPlaces } from '../detail/reading-places.ts';
import type { TraceEndpoint } from '../usual/usual-store.ts';
import { analysis } from './compare-texts.ts';
import {
  type ComparisonReader,
  describeRequest,
  type HugeTrace,
  MAX_COMPARED_STEPS,
} from './comparison-reader.ts';
import { writeReason } from './good-request/choose-good-request.ts';
import { areSmall, type TraceTexts } from './trace-texts.ts';

export function registerComparison(
  http: HttpContext,
  {
    reader,
    places,
    threads,
  }: {
    readonly reader: ComparisonReader;
    readonly places: ReadingPlaces;
    readonly threads: AnalysisThreads;
  },
): void {
  const compare = async (
    { scope, isGone }: { readonly scope: Scope; readonly isGone: () => boolean },
    endpoint: TraceEndpoint,
    other: string,
  ): Promise<TraceComparison | null> => {
    const left = checkSteps(await reader.readTrace(scope, endpoint.id));
    const ranked =
      other === 'before'
        ? await reader.rankBefore(scope, left, endpoint)
        : await reader.rankGoods(scope, left, endpoint, { quicker: true });
    const [nearest] = ranked;
    const isChosenHere = other === 'good' || other === 'before';
    const chosen = isChosenHere ? nearest?.candidate.id : other.toLowerCase();
    if (chosen === undefined) return null;
    const right = checkSteps(await reader.readTrace(scope, chosen));
    const goods = await reader.readGoods(scope, ranked, chosen);
    const reason = isChosenHere && nearest !== undefined ? writeReason(describeRequest(left), nearest) : null;
    return threads.run(analysis, {
      input: { left, right, goods, reason },
      project: left.trace.project_id,
      isSmall: areSmall([left, right, ...goods]),
      isGone,
    });
  };

  serve(http, routes.traces.compare, async ({ params, query, scope, reply }) => {
    const endpoint = await reader.findEndpoint(scope, params.id);
    const leave = await places.enter(endpoint.project_id);
    try {
      const isGone = () => reply.raw.destroyed;
      return { comparison: await compare({ scope, isGone }, endpoint, query.with) };
    } finally {
      leave();
    }
  });
}

/** @throws AppError `validation_failed` if the trace has too many steps to be compared */
function checkSteps(read: TraceTexts | HugeTrace): TraceTexts {
  if (read.texts !== undefined) return read;
  throw new AppError(
    'validation_failed',
    `A trace of ${read.trace.step_count} steps cannot be compared: ${MAX_COMPARED_STEPS} steps at most. Compare two smaller requests.`,
  );
}
