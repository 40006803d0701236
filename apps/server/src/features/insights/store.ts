import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { selectShownTraces } from '../analytics/index.ts';
import { ENDPOINT, FOLDED, type Range, type Reading, type Shown } from '../rollups/index.ts';
import type { EndpointPlace } from './endpoint-key.ts';
import { selectBucket } from './hours-store.ts';
import type { EndpointTimes, HourOfRequests } from './kinds/slower.ts';

const count = z.coerce.number();
const micros = z.string().transform(BigInt);
const START = 'toUnixTimestamp64Micro(start_time)';

/**
 * Finds the durations of requests by endpoint and release, in the examined period and in the time before it, which begins at `before.from`.
 */
export async function findTimes(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  before: Range,
): Promise<EndpointTimes[]> {
  const { from, params } = selectShownTraces(project, { ...reading, from: before.from });
  const rows = await store.rows(
    z.object({
      service: z.string(),
      environment: z.string(),
      method: z.string(),
      path: z.string(),
      release: z.string(),
      current: z.coerce.number(),
      hour: z.coerce.number(),
      first: micros,
      buckets: z.array(count),
      counts: z.array(count),
    }),
    `SELECT toString(k_service) AS service, toString(k_environment) AS environment, k_method AS method, k_path AS path, toString(k_release) AS release, k_current AS current, k_hour AS hour,
       toString(min(started)) AS first, groupArray(bucket) AS buckets, groupArray(requests) AS counts FROM (
       SELECT service AS k_service, environment AS k_environment, upper(method) AS k_method, ${ENDPOINT} AS k_path, release AS k_release,
         ${START} >= {current:Int64} AS k_current, toHour(start_time) AS k_hour, ${selectBucket('duration_micros')} AS bucket, toUInt32(count()) AS requests,
         min(${START}) AS started
       FROM ${from} GROUP BY k_service, k_environment, k_method, k_path, k_release, k_current, k_hour, bucket)
     GROUP BY service, environment, method, path, release, current, hour ${FOLDED}`,
    { ...params, current: String(reading.from) },
  );
  return rows.map(({ buckets, counts, current, hour, ...endpoint }) => ({
    ...endpoint,
    hourOfDay: hour,
    current: current === 1,
    histogram: new Map(buckets.map((bucket, at) => [bucket, counts[at] ?? 0])),
  }));
}

const OF_ENDPOINT = `AND toString(service) = {ofService:String} AND toString(environment) = {ofEnvironment:String} AND upper(method) = {ofMethod:String} AND ${ENDPOINT} = {ofPath:String}`;
const buildEndpointParams = ({ service, environment, method, path }: EndpointPlace) => ({
  ofService: service,
  ofEnvironment: environment,
  ofMethod: method,
  ofPath: path,
});

/**
 * Returns, for each hour in chronological order, the number of an endpoint's requests, and the number of requests that took longer than
 * `longerThanMs`.
 */
export async function findHours(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  endpoint: EndpointPlace,
  longerThanMs: number,
): Promise<HourOfRequests[]> {
  const { from, params } = selectShownTraces(project, reading);
  return store.rows(
    z.object({ first: micros, requests: count, longer: count }),
    `SELECT toString(min(${START})) AS first, count() AS requests, countIf(duration_micros > {longerThan:Int64}) AS longer
     FROM ${from} ${OF_ENDPOINT} GROUP BY toStartOfHour(start_time) ORDER BY min(start_time) ${FOLDED}`,
    { ...params, ...buildEndpointParams(endpoint), longerThan: String(Math.round(longerThanMs * 1000)) },
  );
}

/** Finds the ids of an endpoint's slowest requests; if a release is given, only of the requests of this release. */
export async function findSlowest(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  endpoint: EndpointPlace,
  most: number,
): Promise<string[]> {
  const { from, params } = selectShownTraces(project, reading);
  const rows = await store.rows(
    z.object({ trace: z.string() }),
    `SELECT toString(id) AS trace FROM ${from} ${OF_ENDPOINT} ORDER BY duration_micros DESC LIMIT {most:UInt32} ${FOLDED}`,
    { ...params, ...buildEndpointParams(endpoint), most },
  );
  return rows.map(({ trace }) => trace);
}
