import { routes, type Step, type ValueOrigin, ValuePath } from '@throughline/contract';
import { AppError, refuseField } from '../../../platform/http/errors.ts';
import type { Scope } from '../../../platform/http/guard.ts';
import { type HttpContext, serve } from '../../../platform/http/serve.ts';
import { boundResults, type TraceStore } from '../../../platform/trace-store/index.ts';
import { runInSlices } from '../detail/in-slices.ts';
import { MAX_SMALL_BYTES, type ReadingPlaces, readUnlessTooLarge } from '../detail/reading-places.ts';
import { findTrace } from '../detail/single-trace-store.ts';
import { findWholeTrace, stepPagesOfTrace } from '../detail/steps.ts';
import type { TraceIn } from '../detail/trace-in.ts';
import { type AskedPlace, findValueOrigin, type SearchedTrace } from './value-origin.ts';

/** Maximum number of characters in the steps of a searched trace. A larger trace would slow down the server. */
const MAX_SEARCHED = 32 * 1024 * 1024;

interface ValueOriginDeps {
  readonly store: TraceStore;
  readonly traceIn: TraceIn;
  /** Limits for traces up to {@link MAX_SMALL_BYTES}, and for larger traces. */
  readonly places: ReadingPlaces;
  readonly large: ReadingPlaces;
}

export function registerValueOrigin(
  http: HttpContext,
  { store, traceIn, places, large }: ValueOriginDeps,
): void {
  const small = boundResults(store, MAX_SMALL_BYTES);

  const readSmall = async (scope: Scope, id: string): Promise<SearchedTrace | undefined> => {
    const asked = { values: true, parts: 'whole' } as const;
    const whole = await readUnlessTooLarge(
      traceIn((...where) => findWholeTrace(...where, asked), scope, id, small),
    );
    return whole && { trace: whole.trace, steps: await parseSteps(whole.steps) };
  };

  /** Returns undefined if the trace has more than {@link MAX_SEARCHED} characters. */
  const readLarge = async (scope: Scope, id: string): Promise<SearchedTrace | undefined> => {
    const trace = await traceIn((...where) => findTrace(...where, 'whole'), scope, id);
    const steps: Step[] = [];
    let size = 0;
    for await (const page of (await stepPagesOfTrace(store, trace, { values: true })).pages) {
      for (const text of page) size += text.length;
      if (size > MAX_SEARCHED) return undefined;
      steps.push(...(await parseSteps(page)));
    }
    return { trace, steps };
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

  const find = async (searched: SearchedTrace | undefined, asked: AskedPlace): Promise<ValueOrigin> => {
    if (searched === undefined) throw buildTooLargeError();
    const origin = await findValueOrigin(searched, asked);
    if (origin === undefined) throw new AppError('not_found');
    return origin;
  };

  serve(http, routes.traces.valueOrigin, async ({ params, query, scope, caller }) => {
    const asked = { stepId: query.stepId, place: query.place, path: readPath(query.path) };
    const read = await within(places, caller.userId, async () => {
      const searched = await readSmall(scope, params.id);
      return searched && { origin: await find(searched, asked) };
    });
    return (
      read ??
      within(large, caller.userId, async () => ({
        origin: await find(await readLarge(scope, params.id), asked),
      }))
    );
  });
}

async function parseSteps(texts: readonly string[]): Promise<Step[]> {
  const steps: Step[] = [];
  await runInSlices(texts, (text) => steps.push(JSON.parse(text)));
  return steps;
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
