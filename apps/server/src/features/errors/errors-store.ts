import { TREND_PARTS } from '@throughline/contract';
import { z } from 'zod';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { QueryParams, TraceStore } from '../../platform/trace-store/index.ts';
import { ENDPOINT, ERROR_GROUP, type RequestPart, selectPart } from '../rollups/index.ts';
import type { Compared } from '../traces/index.ts';

/** The longest list. */
export const MAX_ERRORS = 200;
const MAX_PEOPLE = 20;
const MAX_RELEASES = 20;

const ERROR_ID = `lower(hex(MD5(concat(service, '\\n', ${ERROR_GROUP}))))`;
const micros = z.string().transform(BigInt);
const count = z.coerce.number();

/** The time that an answer is about, in epoch µs. */
export interface Range {
  readonly from: bigint;
  readonly until: bigint;
}

const ErrorRow = z.object({
  error_id: z.string(),
  service_name: z.string(),
  message: z.string(),
  errors: count,
  users: count,
  endpoint_count: count,
  most_endpoint: z.string(),
  first: micros,
  last: micros,
  first_release: z.string(),
  last_release: z.string(),
  newest: z.string(),
  trend: z.tuple([z.array(count), z.array(count)]),
  releases: z.tuple([z.array(z.string()), z.array(micros)]),
});
export type ErrorRow = z.output<typeof ErrorRow>;

/** The failed requests to look at: those of one error, or of a part of the project. */
export interface ErrorScope extends RequestPart {
  readonly errorId?: string;
}

/** Finds the errors that were seen in a range, the last seen first. First and last times are among all traces that are kept. */
export async function findErrors(
  store: TraceStore,
  project: ShownProject,
  range: Range,
  { errorId, ...part }: ErrorScope = {},
): Promise<ErrorRow[]> {
  const { sql: inPart, params } = selectPart(part);
  const isError = errorId === undefined ? '' : ` AND ${ERROR_ID} = {errorId:String}`;
  const inRange = 'start_time >= fromUnixTimestamp64Micro({from:Int64})';
  return store.rows(
    ErrorRow,
    `SELECT ${ERROR_ID} AS error_id, any(service) AS service_name, any(${ERROR_GROUP}) AS message, countIf(${inRange}) AS errors,
       uniqExactIf(user_id, user_id != '' AND ${inRange}) AS users, uniqExactIf((method, ${ENDPOINT}), ${inRange}) AS endpoint_count,
       topKIf(1)(concat(method, ' ', ${ENDPOINT}), ${inRange})[1] AS most_endpoint,
       toString(toUnixTimestamp64Micro(min(start_time))) AS first, toString(toUnixTimestamp64Micro(max(start_time))) AS last,
       argMin(release, start_time) AS first_release, argMax(release, start_time) AS last_release,
       toString(argMax(id, start_time)) AS newest,
       sumMapIf([toUInt8(least(${TREND_PARTS - 1}, intDiv(toUnixTimestamp64Micro(start_time) - {from:Int64}, {part:Int64})))], [1], ${inRange}) AS trend,
       tupleElement(maxMap([toString(release)], [toUnixTimestamp64Micro(start_time)]) AS by_release, 1) AS release_names,
       (release_names, arrayMap(at -> toString(at), tupleElement(by_release, 2))) AS releases
     FROM traces WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({since:Int64}) AND is_error
       AND start_time < fromUnixTimestamp64Micro({until:Int64})${isError}${inPart}
     GROUP BY error_id HAVING errors > 0 ORDER BY max(start_time) DESC LIMIT ${MAX_ERRORS}`,
    { ...buildParams(project, range), ...params, ...(errorId !== undefined && { errorId }) },
  );
}

function buildParams({ id, shownSince }: ShownProject, { from, until }: Range): QueryParams {
  return {
    project: id,
    since: String(shownSince),
    from: String(from),
    until: String(until),
    part: String((until - from) / BigInt(TREND_PARTS) + 1n),
  };
}

const OF_ERROR = `is_error AND ${ERROR_ID} = {errorId:String}`;
const SHOWN = `start_time >= fromUnixTimestamp64Micro(greatest({since:Int64}, {from:Int64}))
  AND start_time < fromUnixTimestamp64Micro({until:Int64})`;

/** Finds the users and releases with most requests that failed with an error. */
export async function findAffected(store: TraceStore, project: ShownProject, range: Range, errorId: string) {
  const params = { ...buildParams(project, range), errorId };
  const [people, releases] = await Promise.all([
    store.rows(
      z.object({ user_id: z.string(), errors: count, last: micros }),
      `SELECT user_id, count() AS errors, toString(toUnixTimestamp64Micro(max(start_time))) AS last
       FROM traces WHERE project_id = {project:UUID} AND ${SHOWN} AND ${OF_ERROR} AND user_id != ''
       GROUP BY user_id ORDER BY errors DESC, max(start_time) DESC LIMIT ${MAX_PEOPLE}`,
      params,
    ),
    store.rows(
      z.object({ name: z.string(), errors: count }),
      `SELECT toString(release) AS name, count() AS errors FROM traces WHERE project_id = {project:UUID} AND ${SHOWN} AND ${OF_ERROR} AND release != ''
       GROUP BY name ORDER BY max(start_time) DESC LIMIT ${MAX_RELEASES}`,
      params,
    ),
  ]);
  return { people, releases };
}

/** Selects the requests with an error, and the successful ones to the same endpoints of its service to compare with. */
export function selectCompared(
  project: ShownProject,
  range: Range,
  error: { readonly errorId: string; readonly service: string },
): Compared {
  const params = { ...buildParams(project, range), ...error };
  const endpoint = `(method, ${ENDPOINT})`;
  return {
    matching: { sql: [OF_ERROR], params: { errorId: error.errorId } },
    all: {
      sql: [
        `project_id = {project:UUID} AND ${SHOWN} AND service = {service:String} AND (NOT is_error OR (${OF_ERROR}))`,
        `${endpoint} IN (SELECT ${endpoint} FROM traces WHERE project_id = {project:UUID} AND ${SHOWN} AND ${OF_ERROR})`,
      ],
      params,
    },
  };
}
