import type { ShownProject } from '../../../platform/http/guard.ts';
import { type ProjectId, readId } from '../../../platform/ids.ts';
import { readTextPages, type TraceStore } from '../../../platform/trace-store/index.ts';
import { readStepText, readStepTextPages, readStepTexts, type SpanRequest } from '../../spans/index.ts';
import type { StoredTrace } from '../store.ts';
import type { PartsRead } from '../trace-parts-store.ts';
import {
  findStep,
  findSteps,
  findStepsNear,
  findTrace,
  selectStoredSteps,
  type TraceHead,
} from './single-trace-store.ts';

export interface WholeTrace {
  readonly trace: StoredTrace;
  /** Steps in the format of {@link findTraceSteps}. */
  readonly steps: readonly string[];
}

/**
 * Finds a trace with its steps. The row and the steps are queried in parallel, because the trace's id almost always shows where the steps
 * are.
 */
export async function findWholeTrace(
  store: TraceStore,
  projects: readonly ShownProject[],
  id: string,
  options: { readonly values: boolean; readonly parts: PartsRead },
): Promise<WholeTrace | undefined> {
  const [trace, near] = await Promise.all([
    findTrace(store, projects, id, options.parts),
    findStepsNear(store, projects, id, options),
  ]);
  if (trace === undefined) return undefined;
  const known =
    findSpanRequest(trace) === undefined && near !== undefined ? selectStoredSteps(near, trace) : undefined;
  return { trace, steps: known ?? (await findTraceSteps(store, trace, options)) };
}

/** Finds a trace's steps in order, each as JSON. The steps come from the SDK or from spans. */
export function findTraceSteps(
  store: TraceStore,
  trace: TraceHead,
  options: { readonly values: boolean },
): Promise<string[]> {
  const request = findSpanRequest(trace);
  return request === undefined ? findSteps(store, trace, options) : readStepTexts(store, request, options);
}

/** Finds the steps of a large trace page by page, from index `start`. */
export async function stepPagesOfTrace(
  store: TraceStore,
  trace: TraceHead,
  options: { readonly values: boolean },
  start = 0,
): Promise<{ readonly count: number; readonly pages: AsyncIterable<readonly string[]> }> {
  const request = findSpanRequest(trace);
  if (request !== undefined) return readStepTextPages(store, request, options, start);
  const count = trace.step_count;
  const read = (bounded: TraceStore, from: number, until: number) =>
    findSteps(bounded, trace, options, { from, until });
  const pages = readTextPages(store, count, read, start);
  return { count, pages };
}

export function stepOfTrace(
  store: TraceStore,
  trace: TraceHead,
  stepId: string,
): Promise<string | undefined> {
  const request = findSpanRequest(trace);
  return request === undefined ? findStep(store, trace, stepId) : readStepText(store, request, stepId);
}

/** Returns the span of the request if its trace consists of spans; undefined if the SDK sent the steps. */
export function findSpanRequest({
  has_spans,
  project_id,
  trace_id,
  span_id,
}: Pick<TraceHead, 'has_spans' | 'project_id' | 'trace_id' | 'span_id'>): SpanRequest | undefined {
  const projectId = readId<ProjectId>(project_id);
  if (!has_spans || projectId === undefined) return undefined;
  return { projectId, traceId: trace_id, spanId: span_id };
}
