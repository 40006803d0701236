import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { FOLDED, tracesOf } from '../analytics/index.ts';
import { ENDPOINT, type Range, type Reading, type Shown } from '../rollups/index.ts';
import { BUCKET_RATIO } from './distributions.ts';
import type { Captured } from './sequential.ts';
import type { EndpointTimes, ReleaseStart } from './slower.ts';
import type { SeenRequest, SeenStep } from './step-tree.ts';

const count = z.coerce.number();
const micros = z.string().transform(BigInt);
const START = 'toUnixTimestamp64Micro(start_time)';

/** How long requests took, by endpoint and release, in a period and since `before.from`, which is earlier. */
export async function findTimes(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  before: Range,
): Promise<EndpointTimes[]> {
  const { from, params } = tracesOf(project, { ...reading, from: before.from });
  const rows = await store.rows(
    z.object({
      service: z.string(),
      method: z.string(),
      path: z.string(),
      release: z.string(),
      current: z.coerce.number(),
      buckets: z.array(count),
      counts: z.array(count),
    }),
    `SELECT toString(k_service) AS service, k_method AS method, k_path AS path, toString(k_release) AS release, k_current AS current,
       groupArray(bucket) AS buckets, groupArray(requests) AS counts FROM (
       SELECT service AS k_service, upper(method) AS k_method, ${ENDPOINT} AS k_path, release AS k_release,
         ${START} >= {current:Int64} AS k_current, toUInt32(floor(log(duration_micros + 1) / log(${BUCKET_RATIO}))) AS bucket, toUInt32(count()) AS requests
       FROM ${from} GROUP BY k_service, k_method, k_path, k_release, k_current, bucket)
     GROUP BY service, method, path, release, current ${FOLDED}`,
    { ...params, current: String(reading.from) },
  );
  return rows.map(({ buckets, counts, current, ...endpoint }) => ({
    ...endpoint,
    current: current === 1,
    histogram: new Map(buckets.map((bucket, at) => [bucket, counts[at] ?? 0])),
  }));
}

/** When each release was first seen since an instant. */
export async function findReleaseStarts(
  store: TraceStore,
  project: Shown,
  reading: Reading,
): Promise<ReleaseStart[]> {
  const { from, params } = tracesOf(project, reading);
  return store.rows(
    z.object({ service: z.string(), release: z.string(), first: micros }),
    `SELECT toString(k_service) AS service, toString(k_release) AS release, toString(min(started)) AS first FROM (
       SELECT service AS k_service, release AS k_release, ${START} AS started FROM ${from})
     GROUP BY service, release ${FOLDED}`,
    params,
  );
}

/** So many of the newest requests of each endpoint, and of all, are looked at step by step. */
const OF_ENDPOINT = 40;
const REQUESTS = 1000;
const MOST_STEPS = 2000;

const SeenRow = z.object({
  id: z.string(),
  k_service: z.string(),
  k_method: z.string(),
  k_path: z.string(),
  started: micros,
  took: count,
});
const StepRow = z.object({
  k_trace: z.string(),
  step_id: z.string(),
  parent_step_id: z.string(),
  name: z.string(),
  type: z.string(),
  started: count,
  took: count,
  calls: count,
});

/** The newest requests of each endpoint with their steps, without values. */
export async function findSeenRequests(
  store: TraceStore,
  project: Shown,
  reading: Reading,
): Promise<SeenRequest[]> {
  const { from, params } = tracesOf(project, reading);
  const rows = await store.rows(
    SeenRow,
    `SELECT id, toString(service) AS k_service, upper(method) AS k_method, ${ENDPOINT} AS k_path, toString(${START}) AS started,
       duration_micros AS took
     FROM ${from} AND NOT has_spans AND step_count BETWEEN 2 AND ${MOST_STEPS}
     ORDER BY start_time DESC LIMIT ${OF_ENDPOINT} BY k_service, k_method, k_path LIMIT ${REQUESTS} ${FOLDED}`,
    params,
  );
  const steps = Map.groupBy(
    await findSteps(
      store,
      project,
      rows.map(({ id }) => id),
    ),
    ({ trace }) => trace,
  );
  return rows.map(({ id, k_service, k_method, k_path, started, took }) => ({
    id,
    service: k_service,
    method: k_method,
    path: k_path,
    startMicros: started,
    durationMicros: took,
    steps: steps.get(id) ?? [],
  }));
}

/** The first 48 bits of a UUIDv7 are its time, which the table is sorted by. */
const timesOf = (ids: readonly string[]) =>
  ids.map((id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
const OF_TRACES = 'trace_time_ms IN {times:Array(UInt64)} AND trace IN {ids:Array(UUID)}';

async function findSteps(store: TraceStore, project: Shown, ids: readonly string[]): Promise<SeenStep[]> {
  if (ids.length === 0) return [];
  const rows = await store.rows(
    StepRow,
    `SELECT toString(trace) AS k_trace, step_id, parent_step_id, name, type, start_micros AS started, duration_micros AS took,
       if(repeat = '', 1, JSONExtractUInt(repeat, 'count')) AS calls
     FROM steps FINAL WHERE project_id = {project:UUID} AND ${OF_TRACES}`,
    { project: project.id, ids, times: timesOf(ids) },
  );
  return rows.map((row) => ({
    trace: row.k_trace,
    stepId: row.step_id,
    parentStepId: row.parent_step_id,
    name: row.name,
    type: row.type,
    startMicros: row.started,
    durationMicros: row.took,
    calls: row.calls,
  }));
}

/** What was captured of steps, by trace and step id. */
export async function findCaptured(
  store: TraceStore,
  project: Shown,
  steps: readonly SeenStep[],
): Promise<ReadonlyMap<string, Captured>> {
  const ids = [...new Set(steps.map(({ trace }) => trace))];
  const rows = await store.rows(
    z.object({ k_trace: z.string(), step_id: z.string(), inputs: z.string(), outputs: z.string() }),
    `SELECT toString(trace) AS k_trace, step_id, JSONExtractRaw(captured, 'inputs') AS inputs, JSONExtractRaw(captured, 'outputs') AS outputs
     FROM steps FINAL WHERE project_id = {project:UUID} AND ${OF_TRACES} AND step_id IN {steps:Array(String)}`,
    { project: project.id, ids, times: timesOf(ids), steps: [...new Set(steps.map(({ stepId }) => stepId))] },
  );
  return new Map(rows.map(({ k_trace, step_id, ...captured }) => [`${k_trace} ${step_id}`, captured]));
}
