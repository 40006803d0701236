import type { ProjectId } from '../../platform/ids.ts';
import { readTextPages, type TraceStore } from '../../platform/trace-store/index.ts';
import { type AssembledStep, assemble } from './assemble.ts';
import {
  findFewLinks,
  findLinks,
  findLinksPaged,
  findSpanLinks,
  findStepTexts,
  formatKey,
  type SpanKey,
  type TraceKey,
} from './store.ts';

/** A request whose steps are spans. */
export interface SpanRequest extends TraceKey {
  readonly spanId: string;
}

/** Finds the request's current steps, in start order. */
export async function readSteps(store: TraceStore, request: SpanRequest): Promise<readonly AssembledStep[]> {
  return assemble(await findSpanLinks(store, request)).get(request.spanId) ?? [];
}

/** Maximum number of traces read at a time: each can have 100,000 spans. */
const CHUNK = 500;
/** If the traces that are read together have more spans than this, the larger ones are read page by page. */
const MAX_SPANS = 19_999;

/**
 * Lists the spans of requests: the request's own span and the spans of its current steps. Other spans of a distributed trace are not
 * included.
 */
export async function listSpans(store: TraceStore, requests: readonly SpanRequest[]): Promise<SpanKey[]> {
  const spans: SpanKey[] = [];
  const traces = [...Map.groupBy(requests, formatKey).entries()];
  for (let from = 0; from < traces.length; from += CHUNK) {
    const some = traces.slice(from, from + CHUNK);
    const links = await findLinks(
      store,
      some.flatMap(([, [first]]) => first ?? []),
    );
    for (const [name, asked] of some) {
      const steps = assemble(links.get(name) ?? []);
      for (const { traceId, spanId } of asked) {
        spans.push({ traceId, spanId });
        for (const step of steps.get(spanId) ?? []) spans.push({ traceId, spanId: step.spanId });
      }
    }
  }
  return spans;
}

/**
 * Finds the requests that spans belong to. If a trace has no request yet, all of its spans are returned, because any of them can become
 * the request.
 */
export async function findOwners(
  store: Pick<TraceStore, 'rowsForWriter'>,
  projectId: ProjectId,
  spans: readonly SpanKey[],
): Promise<SpanRequest[]> {
  const owners: SpanRequest[] = [];
  const traces = [...Map.groupBy(spans, ({ traceId }) => traceId)];
  for (let from = 0; from < traces.length; from += CHUNK) {
    const some = traces.slice(from, from + CHUNK);
    const { links, whole } = await findFewLinks(
      store,
      some.map(([traceId]) => ({ projectId, traceId })),
      { maxSpans: MAX_SPANS, maxOfTrace: MAX_SPANS },
    );
    for (const [traceId, those] of some) {
      const key = { projectId, traceId };
      const isWhole = whole.has(formatKey(key));
      const all = isWhole ? (links.get(formatKey(key)) ?? []) : await findLinksPaged(store, key);
      const wanted = new Set(those.map(({ spanId }) => spanId));
      const requests = [...assemble(all)];
      const found =
        requests.length === 0
          ? new Set(all.map(({ spanId }) => spanId))
          : requests.flatMap(([spanId, steps]) =>
              wanted.has(spanId) || steps.some((step) => wanted.has(step.spanId)) ? spanId : [],
            );
      for (const spanId of found) owners.push({ ...key, spanId });
    }
  }
  return owners;
}

/** Reads the request's steps, each as JSON in the contract's Step format. */
export async function readStepTexts(
  store: TraceStore,
  request: SpanRequest,
  options: { readonly values: boolean },
): Promise<string[]> {
  const steps = await readSteps(store, request);
  if (steps.length === 0) return [];
  const texts = await findStepTexts(
    store,
    request,
    steps.map(({ spanId }) => spanId),
    options,
  );
  return steps.flatMap((step, sequence) => {
    const text = texts.get(step.spanId);
    return text === undefined ? [] : [stepText(step, sequence, text)];
  });
}

/** Reads the steps of a request with very many or very large steps page by page, from index `start`. */
export async function readStepTextPages(
  store: TraceStore,
  request: SpanRequest,
  options: { readonly values: boolean },
  start: number,
): Promise<{ readonly count: number; readonly pages: AsyncIterable<readonly string[]> }> {
  const steps = await readSteps(store, request);
  const read = async (bounded: TraceStore, from: number, until: number) => {
    const some = steps.slice(from, until);
    const ids = some.map(({ spanId }) => spanId);
    const texts = await findStepTexts(bounded, request, ids, options);
    return some.flatMap((step, index) => {
      const text = texts.get(step.spanId);
      return text === undefined ? [] : [stepText(step, from + index, text)];
    });
  };
  const pages = readTextPages(store, steps.length, read, start);
  return { count: steps.length, pages };
}

/** Reads one step of a request; undefined if the span is not one of its steps. */
export async function readStepText(
  store: TraceStore,
  request: SpanRequest,
  stepId: string,
): Promise<string | undefined> {
  const steps = await readSteps(store, request);
  const sequence = steps.findIndex(({ spanId }) => spanId === stepId);
  const step = steps[sequence];
  if (step === undefined) return undefined;
  const texts = await findStepTexts(store, request, [stepId], { values: true });
  const text = texts.get(stepId);
  return text === undefined ? undefined : stepText(step, sequence, text);
}

function stepText({ spanId, parentStepId }: AssembledStep, sequence: number, rest: string): string {
  const parent = parentStepId === null ? 'null' : `"${parentStepId}"`;
  return `{"stepId":"${spanId}","parentStepId":${parent},"sequence":${sequence},${rest}`;
}
