import { z } from 'zod';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { selectShownTraces } from '../../analytics/index.ts';
import { type ErrorGrouping, selectShownError } from '../../errors/index.ts';
import { ENDPOINT, ERROR_GROUP, ERROR_ID, FOLDED, type Reading, type Shown } from '../../rollups/index.ts';
import { findBucketPlace, type Histogram } from '../distributions.ts';
import type { EndpointPlace } from '../endpoint-key.ts';
import { buildErrorUnit, type ErrorUnit } from '../error-unit.ts';
import { HOUR, selectBucket } from '../hours-store.ts';

/**
 * Maximum number of rows that {@link findMeasuredHours} reads. Each row is one bucket of a metric in one hour. The services' own metrics
 * are read first, so the limit cuts off response sizes.
 */
const MAX_ROWS = 50_000;
/**
 * Maximum number of errors, and of dependencies, that are compared: the most frequent ones. An error or dependency counts once per
 * endpoint.
 */
const MAX_PARTS = 300;
/** An error that occurred fewer times is not compared. */
const MIN_ERRORS = 5;
const MIN_REQUESTS = 90;

const count = z.coerce.number();
/** The columns of an endpoint's key; {@link PLACE} selects them. */
const KEYS = 'k_service, k_environment, k_method, k_path';
const PLACE = `toString(service) AS k_service, toString(environment) AS k_environment, upper(method) AS k_method, ${ENDPOINT} AS k_path`;
const RELEASE = 'toString(release)';
const place = { k_service: z.string(), k_environment: z.string(), k_method: z.string(), k_path: z.string() };

/** The counts of one hour for a part of an endpoint's requests, such as the requests that failed with a certain error. */
export interface CountedPart extends EndpointPlace {
  readonly name: 'error' | 'dependency' | 'cache';
  readonly value: string;
  /** The error, if the name is `error`. */
  readonly error?: ErrorUnit;
  readonly release: string;
  readonly at: number;
  readonly requests: number;
  readonly changed: number;
  /**
   * For a dependency: the number of requests by their number of calls. A histogram holds durations, so each call is stored as 1,000
   * microseconds.
   */
  readonly calls?: Histogram;
}

type PlaceRow = z.output<z.ZodObject<typeof place>>;
const readPlace = ({ k_service, k_environment, k_method, k_path }: PlaceRow): EndpointPlace => ({
  service: k_service,
  environment: k_environment,
  method: k_method,
  path: k_path,
});

/**
 * The hours of a part of an endpoint's requests, as tuples: the hour since the epoch, the release, the number of requests that can belong
 * to the part, and the number of requests that belong to the part.
 */
const hours = z.array(z.tuple([count, z.string(), count, count]));

function listHours(
  row: PlaceRow & { readonly hours: z.output<typeof hours> },
  part: Pick<CountedPart, 'name' | 'value' | 'error'>,
): CountedPart[] {
  const place = readPlace(row);
  return row.hours.map(([at, release, requests, changed]) => ({
    ...place,
    ...part,
    release,
    at,
    requests,
    changed,
  }));
}

/**
 * Counts each endpoint's failed requests by hour and error. `requests` and `changed` both contain this number; `buildErrorSeries` compares
 * it with the number of all requests to the endpoint.
 */
export async function findErrorHours(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  grouping: ErrorGrouping,
): Promise<CountedPart[]> {
  const { from, params } = selectShownTraces(project, reading);
  const shown = selectShownError(grouping);
  const rows = await store.rows(
    z.object({ ...place, error_id: z.string(), message_id: z.string(), own_message: z.string(), hours }),
    `SELECT ${KEYS}, error_id, max(own_id) AS message_id, argMax(message, own_id != '') AS own_message, groupArray((k_hour, k_release, failed, failed)) AS hours FROM (
       SELECT ${PLACE}, ${shown.id} AS error_id, anyIf(${ERROR_ID}, ${shown.isOwn}) AS own_id,
         ${shown.choose(`toString(${ERROR_GROUP})`)} AS message, ${HOUR} AS k_hour, ${RELEASE} AS k_release, count() AS failed
       FROM ${from} AND is_error GROUP BY ${KEYS}, error_id, k_hour, k_release)
     GROUP BY ${KEYS}, error_id HAVING sum(failed) >= {least:UInt32}
     ORDER BY sum(failed) DESC LIMIT ${MAX_PARTS} ${FOLDED}`,
    { ...params, ...shown.params, least: MIN_ERRORS },
  );
  return rows.flatMap((row) => {
    const { error_id: id, message_id: messageId, own_message: message } = row;
    const error = buildErrorUnit(grouping, { id, messageId, message });
    return listHours(row, { name: 'error', value: message, error });
  });
}

/**
 * Like `hours`, followed by two lists: the distinct numbers of calls per request, and the number of requests with each number of calls.
 */
const callHours = z.array(z.tuple([count, z.string(), count, count, z.array(count), z.array(count)]));

/**
 * Counts each endpoint's requests by hour, dependency and number of calls to the dependency, and the requests with a failed call. Also
 * counts the requests that read a cache, in parts with the name `cache`: the part with an empty value has all of these requests; the part
 * with a database or server as its value has the requests that also called this dependency.
 */
export async function findCallHours(
  store: TraceStore,
  project: Shown,
  reading: Reading,
): Promise<CountedPart[]> {
  const { from, params } = selectShownTraces(project, reading);
  const rows = await store.rows(
    z.object({
      ...place,
      name: z.enum(['dependency', 'cache']),
      value: z.string(),
      hours: callHours,
    }),
    `SELECT ${KEYS}, called.1 AS name, called.2 AS value, groupArray((k_hour, k_release, asked, failed, per_request.1, per_request.2)) AS hours FROM (
       SELECT ${KEYS}, k_hour, k_release, called, sum(requests) AS asked, sum(changed) AS failed, sumMap([calls], [requests]) AS per_request FROM (
       SELECT ${KEYS}, k_hour, k_release,
         arrayJoin(arrayConcat(
           arrayMap(to -> ('dependency', to, arrayExists(kind -> kind.5 = to AND kind.2 = 1, kinds), arraySum(kind -> if(kind.5 = to, kind.1, 0), kinds)),
             arrayDistinct(arrayFilter(to -> to != '', arrayMap(kind -> kind.5, kinds)))),
           if(arrayExists(kind -> kind.3 = 'cache', kinds), arrayMap(to -> ('cache', to, true, 0),
             arrayConcat([''], arrayDistinct(arrayMap(kind -> kind.5, arrayFilter(kind -> kind.3 IN ('database', 'http') AND kind.5 != '', kinds))))), []))) AS called_as,
         (called_as.1, called_as.2) AS called, called_as.4 AS calls, sum(alike) AS requests, sumIf(alike, called_as.3) AS changed
       FROM (
         SELECT ${PLACE}, ${HOUR} AS k_hour, ${RELEASE} AS k_release, count() AS alike,
           JSONExtract(step_kinds, 'Array(Tuple(UInt32, UInt8, String, String, String, String))') AS kinds
         FROM ${from} AND step_kinds != '' GROUP BY ${KEYS}, k_hour, k_release, step_kinds)
       GROUP BY ${KEYS}, k_hour, k_release, called_as)
       GROUP BY ${KEYS}, k_hour, k_release, called)
     GROUP BY ${KEYS}, name, value HAVING name = 'cache' OR sum(asked) >= {least:UInt32}
     ORDER BY sum(asked) DESC LIMIT ${MAX_PARTS} ${FOLDED}`,
    { ...params, least: MIN_REQUESTS },
  );
  return rows.flatMap(({ hours: all, name, value, ...row }) =>
    all.map(([at, release, requests, changed, calls, counts]) => ({
      ...readPlace(row),
      ...{ name, value, release, at, requests, changed },
      calls: new Map(
        calls.map((one, index) => [Math.floor(findBucketPlace(one * 1000)), counts[index] ?? 0]),
      ),
    })),
  );
}

const MeasuredSignal = z.enum(['memory', 'eventLoopDelay', 'cpu', 'responseSize']);

/** An hour of a service's own metrics, or of the sizes of an endpoint's responses. */
export interface MeasuredHour extends EndpointPlace {
  readonly signal: z.output<typeof MeasuredSignal>;
  readonly release: string;
  readonly at: number;
  readonly bucket: number;
  readonly requests: number;
}

const LENGTH = "toUInt64OrZero(JSONExtractString(response_headers, 'content-length'))";

/**
 * Counts requests by heap size (bytes), event loop delay (microseconds), CPU time (thousandths of a percent) and response size (bytes), in
 * the same buckets as durations.
 */
export async function findMeasuredHours(
  store: TraceStore,
  project: Shown,
  reading: Reading,
): Promise<MeasuredHour[]> {
  const { from, params } = selectShownTraces(project, reading);
  // One row per series: the server parses many thousand rows much slower than a few rows with lists.
  const rows = await store.rows(
    z.object({
      ...place,
      signal: MeasuredSignal,
      k_release: z.string(),
      hours: z.array(z.number()),
      buckets: z.array(z.number()),
      counts: z.array(z.number()),
    }),
    `SELECT ${KEYS}, signal, k_release, groupArray(at) AS hours, groupArray(bucket) AS buckets, groupArray(requests) AS counts FROM (
       SELECT toString(service) AS k_service, toString(environment) AS k_environment, measured.1 AS signal,
         if(signal = 'responseSize', upper(method), '') AS k_method, if(signal = 'responseSize', ${ENDPOINT}, '') AS k_path,
         ${RELEASE} AS k_release, ${HOUR} AS at, ${selectBucket('measured.2')} AS bucket, toUInt32(count()) AS requests
       FROM (SELECT *, ${ENDPOINT}, arrayJoin(arrayFilter(one -> one.2 > 0, [('memory', ifNull(heap_used, 0)), ('eventLoopDelay', ifNull(event_loop_delay, 0) * 1000), ('cpu', ifNull(cpu_usage, 0) * 1000),
         ('responseSize', toFloat64(${LENGTH}))])) AS measured FROM ${from})
       GROUP BY ${KEYS}, signal, k_release, at, bucket
       ORDER BY signal != 'responseSize' DESC, ${KEYS} LIMIT {rows:UInt32})
     GROUP BY ${KEYS}, signal, k_release ${FOLDED}`,
    { ...params, rows: MAX_ROWS },
  );
  return rows.flatMap(({ k_release: release, signal, hours: at, buckets, counts, ...row }) => {
    const place = readPlace(row);
    return at.map((hour, index) => ({
      ...place,
      ...{ signal, release, at: hour, bucket: buckets[index] ?? 0, requests: counts[index] ?? 0 },
    }));
  });
}
