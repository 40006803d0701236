import { z } from 'zod';
import { type QueryParams, type TraceStore, timeOfTraceId } from '../../platform/trace-store/index.ts';
import { selectShownTraces } from '../analytics/index.ts';
import {
  ENDPOINT,
  FOLDED,
  type Reading,
  type Shown,
  SPAN_QUERY,
  STEP_CALLS,
  STEP_NAME,
} from '../rollups/index.ts';
import { assemble } from '../spans/index.ts';
import type { Captured, SeenRequest, SeenStep } from '../step-patterns/index.ts';

const count = z.coerce.number();
const micros = z.string().transform(BigInt);
const START = 'toUnixTimestamp64Micro(start_time)';

/** Maximum number of requests whose steps are read, per endpoint and in total. The newest requests are read. */
const OF_ENDPOINT = 40;
const REQUESTS = 1000;
/** Maximum number of requests per hour whose steps are read to find the start of a problem. */
const OF_HOUR = 3;
const MAX_STEPS = 2000;

const SeenRow = z.object({
  id: z.string(),
  trace_id: z.string(),
  span_id: z.string(),
  has_spans: z.boolean(),
  k_service: z.string(),
  k_environment: z.string(),
  k_method: z.string(),
  k_path: z.string(),
  started: micros,
  took: count,
});
const StepRow = z.object({
  k_trace: z.string(),
  step_id: z.string(),
  parent_step_id: z.string(),
  k_name: z.string(),
  type: z.string(),
  started: count,
  took: count,
  calls: count,
});

/**
 * Finds the newest requests with 2 to `MAX_STEPS` steps, up to `OF_ENDPOINT` per endpoint and environment. Returns the requests with their
 * steps, without captured values.
 */
export function findSeenRequests(
  store: TraceStore,
  project: Shown,
  reading: Reading,
): Promise<SeenRequest[]> {
  const chosen = `LIMIT ${OF_ENDPOINT} BY k_service, k_environment, k_method, k_path LIMIT ${REQUESTS}`;
  return findRequests(store, project, reading, { where: '', chosen, params: {} });
}

/**
 * Finds the newest requests of an endpoint in one environment, with 2 to `MAX_STEPS` steps, up to `OF_HOUR` per hour. Returns the requests
 * with their steps, without captured values.
 */
export function findHourlyRequests(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  { service, environment, method, path }: Pick<SeenRequest, 'service' | 'environment' | 'method' | 'path'>,
): Promise<SeenRequest[]> {
  return findRequests(store, project, reading, {
    where: `AND toString(service) = {ofService:String} AND toString(environment) = {ofEnvironment:String} AND upper(method) = {ofMethod:String} AND ${ENDPOINT} = {ofPath:String}`,
    chosen: `LIMIT ${OF_HOUR} BY toStartOfHour(start_time) LIMIT ${REQUESTS}`,
    params: { ofService: service, ofEnvironment: environment, ofMethod: method, ofPath: path },
  });
}

async function findRequests(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  given: { readonly where: string; readonly chosen: string; readonly params: QueryParams },
): Promise<SeenRequest[]> {
  const { from, params } = selectShownTraces(project, reading);
  const rows = await store.rows(
    SeenRow,
    `SELECT id, trace_id, span_id, has_spans, toString(service) AS k_service, toString(environment) AS k_environment, upper(method) AS k_method, ${ENDPOINT} AS k_path, toString(${START}) AS started,
       duration_micros AS took
     FROM ${from} ${given.where} AND step_count BETWEEN 2 AND ${MAX_STEPS}
     ORDER BY start_time DESC ${given.chosen} ${FOLDED}`,
    { ...params, ...given.params },
  );
  const [spanned, stepped] = [rows.filter((row) => row.has_spans), rows.filter((row) => !row.has_spans)];
  const found = await Promise.all([
    findSteps(
      store,
      project,
      stepped.map(({ id }) => id),
    ),
    findSpanSteps(store, project, spanned),
  ]);
  const steps = Map.groupBy(found.flat(), ({ trace }) => trace);
  return rows.map(
    ({ id, trace_id, has_spans, k_service, k_environment, k_method, k_path, started, took }) => ({
      id,
      spansOf: has_spans ? trace_id : undefined,
      service: k_service,
      environment: k_environment,
      method: k_method,
      path: k_path,
      startMicros: started,
      durationMicros: took,
      steps: steps.get(id) ?? [],
    }),
  );
}

const SpanRow = z.object({
  trace_id: z.string(),
  span_id: z.string(),
  parent_span_id: z.string(),
  entry: z.boolean(),
  service: z.string(),
  start_nanos: micros,
  took: count,
  k_name: z.string(),
  asks: z.string(),
  k_type: z.string(),
});

/** Finds the steps of requests that were sent as spans: the spans below each request in the tree of spans, as the trace page shows them. */
async function findSpanSteps(
  store: TraceStore,
  project: Shown,
  requests: readonly z.output<typeof SeenRow>[],
): Promise<SeenStep[]> {
  if (requests.length === 0) return [];
  const rows = await store.rows(
    SpanRow,
    `SELECT trace_id, span_id, parent_span_id, entry, toString(service) AS service, toString(start_nanos) AS start_nanos,
       intDiv(duration_nanos, 1000) AS took, ${STEP_NAME} AS k_name, ${SPAN_QUERY} AS asks, toString(type) AS k_type
     FROM spans FINAL WHERE project_id = {project:UUID} AND trace_id IN {traceIds:Array(String)} ${FOLDED}`,
    { project: project.id, traceIds: [...new Set(requests.map(({ trace_id }) => trace_id))] },
  );
  const byTrace = Map.groupBy(rows, ({ trace_id }) => trace_id);
  return requests.flatMap(({ id, trace_id, span_id }) => {
    const spans = byTrace.get(trace_id) ?? [];
    const known = new Map(spans.map((span) => [span.span_id, span]));
    const links = spans.map((span) => ({
      spanId: span.span_id,
      parentSpanId: span.parent_span_id,
      entry: span.entry,
      service: span.service,
      startNanos: span.start_nanos,
    }));
    return (assemble(links).get(span_id) ?? []).flatMap(({ spanId, parentStepId }) => {
      const span = known.get(spanId);
      if (span === undefined) return [];
      const { k_name: name, asks, k_type: type, start_nanos, took: durationMicros } = span;
      const startMicros = Number(start_nanos / 1000n);
      return [
        {
          trace: id,
          stepId: spanId,
          parentStepId: parentStepId ?? '',
          name,
          asks,
          type,
          startMicros,
          durationMicros,
          calls: 1,
        },
      ];
    });
  });
}

const OF_TRACES = 'trace_time_ms IN {times:Array(UInt64)} AND trace IN {ids:Array(UUID)}';

async function findSteps(store: TraceStore, project: Shown, ids: readonly string[]): Promise<SeenStep[]> {
  if (ids.length === 0) return [];
  // Reads the newest row of each step. `trace` and `ordinal` identify a step. FINAL gives the same result, but also reads all rows between
  // the rows of these traces, which takes three times as long.
  const rows = await store.rows(
    StepRow,
    `SELECT toString(trace) AS k_trace, step_id, parent_step_id, ${STEP_NAME} AS k_name, type, start_micros AS started, duration_micros AS took,
       ${STEP_CALLS} AS calls
     FROM steps WHERE project_id = {project:UUID} AND ${OF_TRACES} ORDER BY trace, ordinal, stored_at DESC LIMIT 1 BY trace, ordinal`,
    { project: project.id, ids, times: ids.map(timeOfTraceId) },
  );
  return rows.map((row) => ({
    trace: row.k_trace,
    stepId: row.step_id,
    parentStepId: row.parent_step_id,
    name: row.k_name,
    // `asks` is empty, because the SDK's step names already contain the operation and its target.
    asks: '',
    type: row.type,
    startMicros: row.started,
    durationMicros: row.took,
    calls: row.calls,
  }));
}

/**
 * Returns, for each run of sequential steps, the captured values of the run's steps, in the order of the steps. For a span, the inputs are
 * the parameters of the span's query.
 */
export async function findCaptured(
  store: TraceStore,
  project: Shown,
  runs: readonly { readonly request: SeenRequest; readonly steps: readonly SeenStep[] }[],
): Promise<readonly (readonly Captured[])[]> {
  const [spanned, stepped] = [true, false].map((are) =>
    runs.filter(({ request }) => (request.spansOf !== undefined) === are).flatMap(({ steps }) => steps),
  );
  const traceIds = [...new Set(runs.flatMap(({ request }) => request.spansOf ?? []))];
  const found = await Promise.all([
    findCapturedOfSteps(store, project, stepped ?? []),
    findCapturedOfSpans(store, project, traceIds, spanned ?? []),
  ]);
  const captured = new Map(found.flatMap((some) => [...some]));
  return runs.map(({ request, steps }) =>
    steps.map(({ stepId }) => captured.get(`${request.spansOf ?? request.id} ${stepId}`) ?? NOTHING),
  );
}

const NOTHING: Captured = { inputs: '', outputs: '' };
type CapturedStep = readonly [string, Captured];

async function findCapturedOfSpans(
  store: TraceStore,
  project: Shown,
  traceIds: readonly string[],
  steps: readonly SeenStep[],
): Promise<CapturedStep[]> {
  if (steps.length === 0) return [];
  const rows = await store.rows(
    z.object({ trace_id: z.string(), span_id: z.string(), inputs: z.string() }),
    `SELECT trace_id, span_id, JSONExtractRaw(captured, 'inputs', 'parameters') AS inputs FROM spans FINAL
     WHERE project_id = {project:UUID} AND trace_id IN {traceIds:Array(String)} AND span_id IN {steps:Array(String)} ${FOLDED}`,
    { project: project.id, traceIds, steps: [...new Set(steps.map(({ stepId }) => stepId))] },
  );
  return rows.map(({ trace_id, span_id, inputs }) => [`${trace_id} ${span_id}`, { inputs, outputs: '' }]);
}

async function findCapturedOfSteps(
  store: TraceStore,
  project: Shown,
  steps: readonly SeenStep[],
): Promise<CapturedStep[]> {
  if (steps.length === 0) return [];
  const ids = [...new Set(steps.map(({ trace }) => trace))];
  const rows = await store.rows(
    z.object({ k_trace: z.string(), step_id: z.string(), inputs: z.string(), outputs: z.string() }),
    `SELECT toString(trace) AS k_trace, step_id, JSONExtractRaw(captured, 'inputs') AS inputs, JSONExtractRaw(captured, 'outputs') AS outputs
     FROM steps WHERE project_id = {project:UUID} AND ${OF_TRACES} AND step_id IN {steps:Array(String)}
     ORDER BY trace, step_id, stored_at DESC LIMIT 1 BY trace, step_id`,
    {
      project: project.id,
      ids,
      times: ids.map(timeOfTraceId),
      steps: [...new Set(steps.map(({ stepId }) => stepId))],
    },
  );
  return rows.map(({ k_trace, step_id, ...captured }) => [`${k_trace} ${step_id}`, captured]);
}
