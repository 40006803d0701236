import { findSource, routes, type ValueOrigin, ValuePath } from '@throughline/contract';
import { AppError, refuseField } from '../../../platform/http/errors.ts';
import type { Scope } from '../../../platform/http/guard.ts';
import { type HttpContext, serve } from '../../../platform/http/serve.ts';
import { boundResults, type TraceStore } from '../../../platform/trace-store/index.ts';
import type { AnalysisThreads } from '../analysis/analysis-threads.ts';
import { areSmall } from '../comparison/trace-texts.ts';
import { MAX_SMALL_BYTES, type ReadingPlaces, readUnlessTooLarge } from '../detail/reading-places.ts';
import { findTrace } from '../detail/single-trace-store.ts';
import { findWholeTrace, stepPagesOfTrace } from '../detail/steps.ts';
import type { TraceIn } from '../detail/trace-in.ts';
import { findTraceSources } from '../source/find-trace-sources.ts';
import { findCodeOrigin } from './code/code-origin.ts';
import { analysis, type OriginInput } from './follow-in-texts.ts';
import type { FoundOrigin } from './value-origin.ts';

/** Maximum number of characters in the steps of a searched trace. A larger trace would slow down the server. */
const MAX_SEARCHED = 32 * 1024 * 1024;

interface ValueOriginDeps {
  readonly store: TraceStore;
  readonly traceIn: TraceIn;
  /** Limits for traces up to {@link MAX_SMALL_BYTES}, and for larger traces. */
  readonly places: ReadingPlaces;
  readonly large: ReadingPlaces;
  readonly threads: AnalysisThreads;
}

type ReadTexts = Pick<OriginInput, 'trace' | 'texts'>;

export function registerValueOrigin(
  http: HttpContext,
  { store, traceIn, places, large, threads }: ValueOriginDeps,
): void {
  const small = boundResults(store, MAX_SMALL_BYTES);

  const readSmall = async (scope: Scope, id: string): Promise<ReadTexts | undefined> => {
    const asked = { values: true, parts: 'whole' } as const;
    const whole = await readUnlessTooLarge(
      traceIn((...where) => findWholeTrace(...where, asked), scope, id, small),
    );
    return whole && { trace: whole.trace, texts: whole.steps };
  };

  /** Returns undefined if the trace has more than {@link MAX_SEARCHED} characters. */
  const readLarge = async (scope: Scope, id: string): Promise<ReadTexts | undefined> => {
    const trace = await traceIn((...where) => findTrace(...where, 'whole'), scope, id);
    const texts: string[] = [];
    let size = 0;
    for await (const page of (await stepPagesOfTrace(store, trace, { values: true })).pages) {
      for (const text of page) size += text.length;
      if (size > MAX_SEARCHED) return undefined;
      texts.push(...page);
    }
    return { trace, texts };
  };

  const within = async <Answer>(
    line: ReadingPlaces,
    owner: string,
    read: () => Promise<Answer>,
  ): Promise<Answer> => {
    const leave = await line.enter(owner);
    try {
      return await read();
    } finally {
      leave();
    }
  };

  /** Adds the constant or environment variable that the source code shows as the origin. */
  const addCode = async (
    { origin, question }: FoundOrigin,
    scope: Scope,
    traceId: string,
  ): Promise<ValueOrigin> => {
    if (question === undefined) return origin;
    const wanted = { scope, traceId, files: new Set(question.places.map(({ file }) => file)) };
    const files = await findTraceSources({ store, traceIn }, wanted);
    const sources = new Map(
      question.places.flatMap((place) => {
        const functions = files.find(({ file }) => file === place.file)?.functions ?? [];
        const source = findSource(functions, { lineNumber: place.line });
        return source === undefined ? [] : [[place, source] as const];
      }),
    );
    const found = findCodeOrigin(question, sources);
    return found === undefined ? origin : { ...origin, origin: found.sentence, code: found.code };
  };

  serve(http, routes.traces.valueOrigin, async ({ params, query, scope, caller, reply }) => {
    const asked = { stepId: query.stepId, place: query.place, path: readPath(query.path) };
    const find = async (read: ReadTexts | undefined): Promise<{ readonly origin: ValueOrigin }> => {
      if (read === undefined) throw buildTooLargeError();
      const found = await threads.run(analysis, {
        input: { ...read, asked },
        project: read.trace.project_id,
        isSmall: areSmall([read]),
        isGone: () => reply.raw.destroyed,
      });
      if (found === undefined) throw new AppError('not_found');
      return { origin: await addCode(found, scope, params.id) };
    };
    const found = await within(places, caller.userId, async () => {
      const read = await readSmall(scope, params.id);
      return read && find(read);
    });
    return found ?? within(large, caller.userId, async () => find(await readLarge(scope, params.id)));
  });
}

/** @throws AppError `validation_failed` if the path is not a JSON list of names and indexes */
function readPath(json: string): ValuePath {
  try {
    const read = ValuePath.safeParse(JSON.parse(json));
    if (read.success) return read.data;
  } catch {
    // The path is not JSON.
  }
  throw refuseField('path', 'path must be a list of names and indexes as JSON, such as ["order",0]');
}

function buildTooLargeError(): AppError {
  return new AppError(
    'validation_failed',
    `A trace of more than ${MAX_SEARCHED / 1024 / 1024} MB cannot be searched for a value.`,
  );
}
