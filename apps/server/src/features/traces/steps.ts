import { type ProjectId, readId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type SpanRequest, stepTextOf, stepTextsOf } from '../spans/index.ts';
import { findStep, findSteps, type TraceHead } from './single-trace-store.ts';

/** A trace's steps in order, each as JSON text, whether the SDK sent them with it or they are spans. */
export function stepsOfTrace(
  store: TraceStore,
  trace: TraceHead,
  options: { readonly values: boolean },
): Promise<string[]> {
  const request = spanRequest(trace);
  return request === undefined ? findSteps(store, trace, options) : stepTextsOf(store, request, options);
}

export function stepOfTrace(
  store: TraceStore,
  trace: TraceHead,
  stepId: string,
): Promise<string | undefined> {
  const request = spanRequest(trace);
  return request === undefined ? findStep(store, trace, stepId) : stepTextOf(store, request, stepId);
}

/** The request that a trace is of spans; undefined where its steps are its own. */
export function spanRequest({
  has_spans,
  project_id,
  trace_id,
  span_id,
}: Pick<TraceHead, 'has_spans' | 'project_id' | 'trace_id' | 'span_id'>): SpanRequest | undefined {
  const projectId = readId<ProjectId>(project_id);
  if (!has_spans || projectId === undefined) return undefined;
  return { projectId, traceId: trace_id, spanId: span_id };
}
