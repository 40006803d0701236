import { z } from 'zod';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { selectShownTraces } from '../../analytics/index.ts';
import { ENDPOINT, FOLDED, type Reading, type Shown } from '../../rollups/index.ts';
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
/** Maximum number of rows. Each row is one hour of an endpoint or of an endpoint's part; the rows of whole endpoints come first. */
const MAX_ROWS = 100_000;

const count = z.coerce.number();
const KEY = `toString(service), toString(environment), upper(method), ${ENDPOINT}`;

/**
 * Maximum number of values of a compared attribute. An attribute with more values identifies the sender of a request rather than the kind
 * of request.
 */
const MAX_VALUES = 30;
const MAX_ATTRIBUTES = 5;
/** Maximum number of users whose requests are compared: those with the most requests, since few requests show no usual values. */
const MAX_USERS = 50;

/** Returns the names of request attributes that have few different values, such as tenant or plan. */
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

/** The requests of endpoints by hour and release, and those of their countries, instances, attributes and users by hour. */
export interface FoundSeries {
  readonly wholes: readonly ReleaseSeries[];
  readonly parts: readonly HourSeries[];
}

/** Counts requests by hour for each endpoint and environment, and for their countries, instances, attributes and users. */
export async function findHourSeries(
  store: TraceStore,
  project: Shown,
  reading: Reading,
): Promise<FoundSeries> {
  const attributes = await findAttributes(store, project, reading);
  const { from, params } = selectShownTraces(project, reading);
  const rows = await store.rows(
    z.object({
      service: z.string(),
      environment: z.string(),
      method: z.string(),
      path: z.string(),
      part_name: z.string(),
      part_value: z.string(),
      release: z.string(),
      at: count,
      failed: count,
      buckets: z.array(count),
      counts: z.array(count),
    }),
    `SELECT toString(k_service) AS service, toString(k_environment) AS environment, k_method AS method, k_path AS path,
       part.1 AS part_name, part.2 AS part_value, k_release AS release, k_hour AS at, sum(errors) AS failed, groupArray(bucket) AS buckets,
       groupArray(requests) AS counts FROM (
       SELECT service AS k_service, environment AS k_environment, upper(method) AS k_method, ${ENDPOINT} AS k_path,
         arrayJoin(arrayConcat([('', ''), ('country', toString(country)), ('instance', toString(instance)),
             ('user', if(user_id IN (SELECT user_id FROM ${from} AND user_id != '' GROUP BY user_id HAVING count() >= {least:UInt32} ORDER BY count() DESC, user_id LIMIT {users:UInt32}), user_id, ''))],
           arrayMap(name -> ('attribute', if(JSONExtractString(attributes, name) = '', '', concat(name, ':', JSONExtractString(attributes, name)))), {attributes:Array(String)}))) AS part,
         if(part.1 = '', toString(release), '') AS k_release, ${HOUR} AS k_hour,
         ${selectBucket('duration_micros')} AS bucket, toUInt32(count()) AS requests,
         toUInt32(countIf(is_error)) AS errors
       FROM ${from} AND (${KEY}) IN (
         SELECT ${KEY} FROM ${from} GROUP BY ${KEY} HAVING count() >= {least:UInt32} ORDER BY count() DESC LIMIT {most:UInt32})
       GROUP BY k_service, k_environment, k_method, k_path, part, k_release, k_hour, bucket)
     WHERE part.1 = '' OR part.2 != ''
     GROUP BY k_service, k_environment, k_method, k_path, part, k_release, k_hour
     ORDER BY part_name, service, environment, method, path, part_value, at LIMIT {rows:UInt32} ${FOLDED}`,
    { ...params, attributes, least: MIN_REQUESTS, most: MAX_ENDPOINTS, rows: MAX_ROWS, users: MAX_USERS },
  );
  const series = Map.groupBy(rows, ({ service, environment, method, path, part_name, part_value }) =>
    JSON.stringify([service, environment, method, path, part_name, part_value]),
  );
  // The row limit can cut off the last series. The hours that are cut off would look like hours without requests, so the last series is
  // left out.
  const whole = [...series.values()].slice(0, rows.length < MAX_ROWS ? undefined : -1);
  const all = whole.flatMap((rows) =>
    [...Map.groupBy(rows, ({ release }) => release)].flatMap(([release, hours]) => {
      const [first] = hours;
      if (first === undefined) return [];
      const { service, environment, method, path } = first;
      const part = readPart(first);
      const signals = listWholeSignals(part);
      return [{ service, environment, method, path, part, release, signals, hours: readHours(hours) }];
    }),
  );
  return {
    wholes: all.filter(({ part }) => part === null),
    parts: all.filter(({ part }) => part !== null).map(({ release: _, ...series }) => series),
  };
}

function readHours(
  rows: readonly { at: number; failed: number; buckets: number[]; counts: number[] }[],
): ReadonlyMap<number, Hour> {
  return new Map(
    rows.map(({ at, failed, buckets, counts }): [number, Hour] => [
      at,
      { errors: failed, histogram: new Map(buckets.map((bucket, n) => [bucket, counts[n] ?? 0])) },
    ]),
  );
}

function readPart({
  part_name: name,
  part_value: value,
}: {
  part_name: string;
  part_value: string;
}): Part | null {
  return name === 'country' || name === 'instance' || name === 'attribute' || name === 'user'
    ? { name, value }
    : null;
}
