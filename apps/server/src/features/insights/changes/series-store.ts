import { z } from 'zod';
import type { QueryParams, TraceStore } from '../../../platform/trace-store/index.ts';
import { selectShownTraces } from '../../analytics/index.ts';
import { ENDPOINT, FOLDED, type Reading, type Shown } from '../../rollups/index.ts';
import type { EndpointPlace } from '../endpoint-key.ts';
import { HOUR, selectBucket } from '../hours-store.ts';
import {
  type Hour,
  type HourSeries,
  listWholeSignals,
  type Part,
  type ReleaseSeries,
} from './hour-series.ts';

/** Maximum number of endpoints that are compared by hour: the busiest ones. An endpoint counts once per environment. */
const MAX_ENDPOINTS = 60;
/** Endpoints and attributes with fewer requests are not compared, because their usual values are unknown. */
const MIN_REQUESTS = 90;
/** Parts with fewer requests are not compared. */
export const MIN_PART = 20;
/**
 * Maximum number of hours that are read of whole endpoints, and of each kind of parts, such as all countries. The series with the most
 * requests come first. Bounds the memory and the time of a search.
 */
const MAX_HOURS = { wholes: 60_000, parts: 20_000 } as const;

const KEY = `toString(service), toString(environment), upper(method), ${ENDPOINT}`;
/** The hash of an endpoint's key. ClickHouse groups by a number much faster than by texts. */
const HASH = `cityHash64(${KEY})`;

/**
 * Maximum number of values of a compared attribute. An attribute with more values identifies the sender of a request rather than the kind
 * of request.
 */
const MAX_VALUES = 30;
const MAX_ATTRIBUTES = 5;
/** Maximum number of users whose requests are compared: those with the most requests, since few requests show no usual values. */
const MAX_USERS = 50;

/** Returns the names of request attributes that have few distinct values, such as tenant or plan. */
async function findAttributes(store: TraceStore, project: Shown, reading: Reading): Promise<string[]> {
  const { from, params } = selectShownTraces(project, reading);
  const rows = await store.rows(
    z.object({ name: z.string() }),
    `SELECT pair.1 AS name FROM (
       SELECT arrayJoin(JSONExtractKeysAndValues(attributes, 'String')) AS pair FROM ${from} AND attributes NOT IN ('', '{}'))
     GROUP BY name HAVING uniqUpTo(${MAX_VALUES})(pair.2) BETWEEN 2 AND ${MAX_VALUES} AND count() >= {least:UInt32} AND NOT position(name, ':')
     ORDER BY count() DESC, name LIMIT ${MAX_ATTRIBUTES} ${FOLDED}`,
    { ...params, least: MIN_REQUESTS },
  );
  return rows.map(({ name }) => name);
}

/**
 * The requests of endpoints by hour and release (`wholes`), and the requests of each country, instance, attribute and user by hour
 * (`parts`).
 */
export interface FoundSeries {
  readonly wholes: readonly ReleaseSeries[];
  readonly parts: readonly HourSeries[];
}

/** Counts requests by hour for each endpoint and environment, and for each country, instance, attribute and user of an endpoint. */
export async function findHourSeries(
  store: TraceStore,
  project: Shown,
  reading: Reading,
): Promise<FoundSeries> {
  const [endpoints, attributes, users] = await Promise.all([
    findEndpoints(store, project, reading),
    findAttributes(store, project, reading),
    findUsers(store, project, reading),
  ]);
  const read = (kind: Kind) => readSeries(store, project, reading, endpoints, kind);
  const [wholes, ...parts] = await Promise.all([
    read({ name: null, value: "''", release: 'toString(release)' }),
    read({ name: 'country', value: 'toString(country)' }),
    read({ name: 'instance', value: 'toString(instance)' }),
    read({ name: 'user', value: "if(user_id IN {users:Array(String)}, user_id, '')", params: { users } }),
    ...attributes.map((attribute) =>
      read({
        name: 'attribute',
        prefix: `${attribute}:`,
        value: 'JSONExtractString(attributes, {attribute:String})',
        params: { attribute },
      }),
    ),
  ]);
  return { wholes, parts: parts.flat().map(({ release: _, ...series }) => series) };
}

/** Finds the busiest endpoints. The keys of the result are the hashes of the endpoints' keys. */
async function findEndpoints(
  store: TraceStore,
  project: Shown,
  reading: Reading,
): Promise<ReadonlyMap<string, EndpointPlace>> {
  const { from, params } = selectShownTraces(project, reading);
  const rows = await store.rows(
    z.object({
      key: z.string(),
      k_service: z.string(),
      k_environment: z.string(),
      k_method: z.string(),
      k_path: z.string(),
    }),
    `SELECT toString(${HASH}) AS key, toString(any(service)) AS k_service, toString(any(environment)) AS k_environment,
       any(upper(method)) AS k_method, any(${ENDPOINT}) AS k_path
     FROM ${from} GROUP BY ${HASH} HAVING count() >= {least:UInt32} ORDER BY count() DESC, key LIMIT ${MAX_ENDPOINTS} ${FOLDED}`,
    { ...params, least: MIN_REQUESTS },
  );
  return new Map(
    rows.map(({ key, k_service: service, k_environment: environment, k_method: method, k_path: path }) => [
      key,
      { service, environment, method, path },
    ]),
  );
}

/** Finds the users with the most requests. */
async function findUsers(store: TraceStore, project: Shown, reading: Reading): Promise<string[]> {
  const { from, params } = selectShownTraces(project, reading);
  const rows = await store.rows(
    z.object({ user_id: z.string() }),
    `SELECT user_id FROM ${from} AND user_id != '' GROUP BY user_id HAVING count() >= {least:UInt32}
     ORDER BY count() DESC, user_id LIMIT ${MAX_USERS} ${FOLDED}`,
    { ...params, least: MIN_PART },
  );
  return rows.map((row) => row.user_id);
}

/** The series that one query reads: series of whole endpoints (`name` is null), or of one kind of parts, such as countries. */
interface Kind {
  readonly name: Exclude<Part['name'], 'error' | 'dependency'> | null;
  /** SQL of the value that the requests of a part share. Requests with an empty value belong to no part. */
  readonly value: string;
  /** The text before the value of each part, such as `tenant:`. */
  readonly prefix?: string;
  /** SQL of the release. Left out if all releases are counted together. */
  readonly release?: string;
  readonly params?: QueryParams;
}

const numbers = z.array(z.number());

async function readSeries(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  endpoints: ReadonlyMap<string, EndpointPlace>,
  { name, value, prefix = '', release = "''", params: ofKind = {} }: Kind,
): Promise<ReleaseSeries[]> {
  if (endpoints.size === 0) return [];
  const { from, params } = selectShownTraces(project, reading);
  const rows = await store.rows(
    z.object({
      key: z.string(),
      k_value: z.string(),
      k_release: z.string(),
      hours: numbers,
      failed: numbers,
      buckets: z.array(numbers),
    }),
    `SELECT toString(k_key) AS key, k_value, k_release, hours, failed, buckets FROM (
       SELECT *, sum(length(hours)) OVER (ORDER BY requests DESC, k_key, k_value, k_release ROWS UNBOUNDED PRECEDING) AS read FROM (
         SELECT k_key, k_value, k_release, sum(length(in_hour)) AS requests, groupArray(k_hour) AS hours, groupArray(errors) AS failed,
           groupArray(in_hour) AS buckets
         FROM (
           SELECT ${HASH} AS k_key, ${value} AS k_value, ${release} AS k_release, ${HOUR} AS k_hour, toUInt32(countIf(is_error)) AS errors,
             groupArray(${selectBucket('duration_micros')}) AS in_hour
           FROM ${from} AND ${HASH} IN (SELECT toUInt64(arrayJoin({keys:Array(String)}))) ${name === null ? '' : "AND k_value != ''"}
           GROUP BY k_key, k_value, k_release, k_hour)
         GROUP BY k_key, k_value, k_release ${name === null ? '' : 'HAVING requests >= {least:UInt32}'}))
     WHERE read <= {rows:UInt32} ${FOLDED}`,
    {
      ...params,
      ...ofKind,
      keys: [...endpoints.keys()],
      rows: name === null ? MAX_HOURS.wholes : MAX_HOURS.parts,
      ...(name !== null && { least: MIN_PART }),
    },
  );
  return rows.flatMap((row) => {
    const place = endpoints.get(row.key);
    if (place === undefined) return [];
    const part = name === null ? null : { name, value: prefix + row.k_value };
    return [
      { ...place, part, release: row.k_release, signals: listWholeSignals(part), hours: readHours(row) },
    ];
  });
}

function readHours({
  hours,
  failed,
  buckets,
}: {
  readonly hours: readonly number[];
  readonly failed: readonly number[];
  readonly buckets: readonly (readonly number[])[];
}): ReadonlyMap<number, Hour> {
  return new Map(
    hours.map((at, index): [number, Hour] => {
      const histogram = new Map<number, number>();
      for (const bucket of buckets[index] ?? []) histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
      return [at, { errors: failed[index] ?? 0, histogram }];
    }),
  );
}
