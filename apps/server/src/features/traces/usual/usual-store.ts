import { USUAL_DAYS } from '@throughline/contract';
import { z } from 'zod';
import type { ShownProject } from '../../../platform/http/guard.ts';
import { type QueryParams, type TraceStore, timeOfTraceId } from '../../../platform/trace-store/index.ts';
import { ENDPOINT } from '../../rollups/index.ts';
import { selectProjects } from '../list/conditions.ts';

const KEYS = `service, environment, upper(method) AS verb, toString(${ENDPOINT}) AS path, route != '' AS has_route,
  toString(toUnixTimestamp64Micro(start_time)) AS start_micros, duration_micros AS took_micros`;
const EndpointRow = z.object({
  project_id: z.string(),
  service: z.string(),
  environment: z.string(),
  verb: z.string(),
  path: z.string(),
  has_route: z.coerce.boolean(),
  start_micros: z.string().transform(BigInt),
  took_micros: z.coerce.number(),
});
/** The endpoint of a trace's request. */
export type TraceEndpoint = z.output<typeof EndpointRow> & { readonly id: string };

/** Finds the endpoint of a trace in one of the projects; undefined if there is no such trace. */
export async function findEndpoint(
  store: TraceStore,
  projects: readonly ShownProject[],
  id: string,
): Promise<TraceEndpoint | undefined> {
  if (projects.length === 0) return undefined;
  const { sql, params } = selectProjects(projects);
  const [row] = await store.rows(
    EndpointRow,
    `SELECT project_id, ${KEYS} FROM traces WHERE ${sql.join(' AND ')} AND id_time_ms = {idTime:UInt64} AND id = {id:UUID} LIMIT 1`,
    { ...params, idTime: String(timeOfTraceId(id)), id },
  );
  return row && { ...row, id };
}

const DAY_MICROS = 86_400_000_000n;
/**
 * Quantile levels slightly below 1/4, 1/2 and 19/20, to get the nearest rank, ceil(level × n). ClickHouse takes the value at index
 * floor(level × n), counted from 0, which is one rank too high if level × n is a whole number. These levels are correct for any n up to
 * `MAX_ROWS`.
 */
const LEVELS_BELOW = '0.249999999, 0.499999999, 0.949999999';

/** Maximum number of rows that the query reads, in about 20 ms. In a larger project, the query ignores further rows. */
const MAX_ROWS = 1_000_000;

/**
 * Builds the conditions that select other successful requests to an endpoint around the time of the trace, and the limit of the rows to
 * read.
 */
export function selectSameEndpoint(project: ShownProject, endpoint: TraceEndpoint): SelectedRequests {
  return selectNear(project, endpoint, `${ENDPOINT} = {path:String}`);
}

/**
 * Builds the conditions that select other successful requests whose path differs from the endpoint's in one segment, as `/teams/red` and
 * `/teams/blue` do. Used for requests without a route: their endpoint is their path, because nothing shows which segment is a parameter.
 */
export function selectSimilarPaths(project: ShownProject, endpoint: TraceEndpoint): SelectedRequests {
  const segments = (path: string) => `splitByChar('/', toString(${path}))`;
  const [own, other] = [segments('{path:String}'), segments(ENDPOINT)];
  // ClickHouse evaluates the second condition even if the lengths differ, and arrayCount fails for lists of different lengths.
  return selectNear(
    project,
    endpoint,
    `route = '' AND length(${other}) = length(${own})
       AND arrayCount((one, two) -> one != two, if(length(${other}) = length(${own}), ${other}, ${own}), ${own}) = 1`,
  );
}

interface SelectedRequests {
  readonly sql: string;
  readonly params: QueryParams;
  readonly settings: string;
}

function selectNear(
  project: ShownProject,
  { id, service, environment, verb, path, start_micros: start }: TraceEndpoint,
  matchingPath: string,
): SelectedRequests {
  const { sql, params } = selectProjects([project]);
  return {
    sql: `${sql.join(' AND ')} AND service = {service:String} AND environment = {environment:String}
       AND upper(method) = {verb:String} AND ${matchingPath} AND NOT is_error AND id != {id:UUID}
       AND start_time >= fromUnixTimestamp64Micro({from:Int64}) AND start_time < fromUnixTimestamp64Micro({until:Int64})`,
    params: {
      ...params,
      id,
      service,
      environment,
      verb,
      path,
      from: String(start - BigInt(USUAL_DAYS.before) * DAY_MICROS),
      until: String(start + BigInt(USUAL_DAYS.after) * DAY_MICROS),
    },
    settings: `SETTINGS max_rows_to_read = ${MAX_ROWS}, read_overflow_mode = 'break'`,
  };
}

const UsualRow = z.object({
  requests: z.coerce.number(),
  quartile_micros: z.coerce.number(),
  median_micros: z.coerce.number(),
  p95_micros: z.coerce.number(),
  quicker: z.coerce.number(),
});

/** Finds the durations of other successful requests to an endpoint around the time of the trace. */
export async function findUsualDurations(
  store: TraceStore,
  project: ShownProject,
  endpoint: TraceEndpoint,
): Promise<z.output<typeof UsualRow>> {
  const { sql: sameEndpoint, params, settings } = selectSameEndpoint(project, endpoint);
  const [row] = await store.rows(
    UsualRow,
    `WITH quantilesExact(${LEVELS_BELOW})(duration_micros) AS quantiles
     SELECT count() AS requests, quantiles[1] AS quartile_micros, quantiles[2] AS median_micros,
       quantiles[3] AS p95_micros, countIf(duration_micros < {took:UInt64}) AS quicker
     FROM traces WHERE ${sameEndpoint} ${settings}`,
    { ...params, took: String(endpoint.took_micros) },
  );
  return row ?? { requests: 0, quartile_micros: 0, median_micros: 0, p95_micros: 0, quicker: 0 };
}

/**
 * Counts the same requests as {@link findUsualDurations} by their duration. Each duration belongs to the last of `edges` (in ascending
 * order) that is not above the duration. Edges without requests are absent.
 */
export async function countDurations(
  store: TraceStore,
  project: ShownProject,
  endpoint: TraceEndpoint,
  edges: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { sql: sameEndpoint, params, settings } = selectSameEndpoint(project, endpoint);
  const rows = await store.rows(
    z.object({ edge: z.coerce.number(), requests: z.coerce.number() }),
    `SELECT roundDown(duration_micros, {edges:Array(UInt64)}) AS edge, count() AS requests
     FROM traces WHERE ${sameEndpoint} GROUP BY edge ${settings}`,
    { ...params, edges },
  );
  return new Map(rows.map(({ edge, requests }) => [edge, requests]));
}
