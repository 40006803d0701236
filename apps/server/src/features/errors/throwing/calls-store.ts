import type { CapturedValue } from '@throughline/contract';
import { z } from 'zod';
import type { ShownProject } from '../../../platform/http/guard.ts';
import { type TraceStore, timeOfTraceId } from '../../../platform/trace-store/index.ts';
import { ERROR_PLACE } from '../../rollups/index.ts';
import type { Conditions } from '../compared-store.ts';

/**
 * Maximum numbers of failed and of successful requests in the sample. The sample is spread over the whole range, so reading each request's
 * steps costs about a millisecond of CPU.
 */
const MAX_FAILING = 30;
const MAX_SUCCESSFUL = 180;
/** Maximum number of successful calls that are read, one per request. */
const MAX_CALLS = 60;
const ENOUGH_CALLS = 50;
/** Maximum number of failed steps that are read per request, starting with the last step. */
const MAX_FAILED = 50;
/** Maximum number of steps whose values are read at a time: failing calls, or earlier steps to which their values refer. */
const MAX_REFERRED = 200;
/** Steps with more bytes of captured values are skipped. */
const MAX_STEP_BYTES = 32 * 1024;

const SampleRow = z.object({ id: z.string(), message: z.string(), place: z.string() });
export type SampledTrace = z.output<typeof SampleRow>;

/**
 * Builds the end of a SELECT that samples requests. The order by the id's hash spreads the sample over the range, and gives the same sample
 * each time.
 */
const spread = (limit: number) => `ORDER BY cityHash64(traces.id) LIMIT 1 BY traces.id LIMIT ${limit}`;

/** Samples the requests that failed with the error. */
export async function sampleFailing(store: TraceStore, conditions: Conditions): Promise<SampledTrace[]> {
  return store.rows(
    SampleRow,
    `SELECT toString(id) AS id, error_message AS message, toString(${ERROR_PLACE}) AS place FROM traces WHERE ${conditions.sql.join(' AND ')}
     ${spread(MAX_FAILING)}`,
    conditions.params,
  );
}

/** Samples the successful requests to the endpoints at which the error occurred, and returns their ids. */
export async function sampleSuccessful(store: TraceStore, conditions: Conditions): Promise<string[]> {
  const rows = await store.rows(
    z.object({ id: z.string() }),
    `SELECT toString(id) AS id FROM traces WHERE ${conditions.sql.join(' AND ')} ${spread(MAX_SUCCESSFUL)}`,
    conditions.params,
  );
  return rows.map(({ id }) => id);
}

const FailedRow = z.object({
  trace_id: z.string(),
  step_id: z.string(),
  function: z.string(),
  file: z.string(),
  message: z.string(),
});
/** A step whose function failed. */
export type FailedStep = z.output<typeof FailedRow>;

/**
 * ClickHouse reads the column of a PREWHERE condition first. Only few granules contain one of these times, and ClickHouse reads the other
 * columns only in these granules, which takes half the time.
 */
const AT_TIMES = 'trace_time_ms IN {times:Array(UInt64)}';
const OF_TRACES = 'trace IN {traces:Array(UUID)}';

function buildParams({ id }: ShownProject, traces: readonly string[]) {
  return { project: id, times: traces.map((trace) => timeOfTraceId(trace)), traces };
}

/** Finds the functions that failed in each request, the last called function first. */
export async function findFailedSteps(
  store: TraceStore,
  project: ShownProject,
  traces: readonly string[],
): Promise<FailedStep[]> {
  return store.rows(
    FailedRow,
    `SELECT toString(trace) AS trace_id, step_id, toString(function_name) AS function, toString(file_path) AS file,
       JSONExtractString(error, 'message') AS message
     FROM steps PREWHERE project_id = {project:UUID} AND ${AT_TIMES} WHERE ${OF_TRACES} AND error != '' AND function_name != ''
     ORDER BY trace, ordinal DESC LIMIT ${MAX_FAILED} BY trace`,
    buildParams(project, traces),
  );
}

const CallRow = z.object({ trace_id: z.string(), step_id: z.string(), captured: z.string() });
/** A call with its captured values. */
export interface Call {
  readonly trace: string;
  readonly stepId: string;
  readonly inputs?: CapturedValue;
  readonly outputs?: CapturedValue;
  readonly variables?: { readonly parameters?: CapturedValue; readonly localVariables?: CapturedValue };
}

const CALL = `toString(trace) AS trace_id, step_id, captured`;
const CAPTURED = `captured != '' AND length(captured) <= ${MAX_STEP_BYTES}`;

/**
 * Reads steps with their values. A key is the id of a trace and the id of one of its steps; keys beyond the first `MAX_REFERRED` are
 * skipped.
 */
export async function readCalls(
  store: TraceStore,
  project: ShownProject,
  keys: readonly (readonly [trace: string, step: string])[],
): Promise<Call[]> {
  if (keys.length === 0) return [];
  const some = keys.slice(0, MAX_REFERRED);
  const rows = await store.rows(
    CallRow,
    `SELECT ${CALL} FROM steps PREWHERE project_id = {project:UUID} AND ${AT_TIMES} WHERE ${OF_TRACES} AND (toString(trace), step_id) IN arrayZip({owners:Array(String)}, {steps:Array(String)})
       AND ${CAPTURED} LIMIT 1 BY trace, step_id`,
    {
      ...buildParams(project, [...new Set(some.map(([trace]) => trace))]),
      owners: some.map(([trace]) => trace),
      steps: some.map(([, step]) => step),
    },
  );
  return rows.map(parseCall);
}

/**
 * Reads the function's first successful call in each request that called the function, at most `MAX_CALLS` calls. Begins with the first
 * `MAX_CALLS` requests, and reads further requests only if it has found fewer than `ENOUGH_CALLS` calls.
 */
export async function readSuccessfulCalls(
  store: TraceStore,
  project: ShownProject,
  traces: readonly string[],
  called: { readonly function: string; readonly file: string },
): Promise<Call[]> {
  const calls: Call[] = [];
  for (let start = 0; start < traces.length && calls.length < ENOUGH_CALLS; start += MAX_CALLS) {
    const rows = await store.rows(
      CallRow,
      `SELECT ${CALL} FROM steps PREWHERE project_id = {project:UUID} AND ${AT_TIMES} WHERE ${OF_TRACES} AND function_name = {function:String} AND file_path = {file:String} AND error = ''
         AND ${CAPTURED} ORDER BY trace, ordinal LIMIT 1 BY trace LIMIT ${MAX_CALLS}`,
      {
        ...buildParams(project, traces.slice(start, start + MAX_CALLS)),
        function: called.function,
        file: called.file,
      },
    );
    calls.push(...rows.map(parseCall));
  }
  return calls.slice(0, MAX_CALLS);
}

function parseCall({ trace_id, step_id, captured }: z.output<typeof CallRow>): Call {
  return { ...JSON.parse(captured), trace: trace_id, stepId: step_id };
}
