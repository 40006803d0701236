import { MAX_MERGED_ERRORS, TREND_PARTS } from '@throughline/contract';
import { z } from 'zod';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { QueryParams, TraceStore } from '../../platform/trace-store/index.ts';
import { ENDPOINT, ERROR_GROUP, ERROR_ID, type RequestPart, selectPart } from '../rollups/index.ts';
import type { Compared } from '../traces/index.ts';
import type { MergedErrors } from './merges/merged-errors.ts';

/** Maximum number of listed errors. */
export const MAX_ERRORS = 200;
const MAX_PEOPLE = 20;
const MAX_RELEASES = 20;

const micros = z.string().transform(BigInt);
const count = z.coerce.number();

/** The time range of a query, in epoch µs. */
export interface Range {
  readonly from: bigint;
  readonly until: bigint;
}

const ErrorRow = z.object({
  error_id: z.string(),
  service_name: z.string(),
  services: z.array(z.string()),
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

/** The failed requests to read: those of some errors, or of a part of the project (see {@link RequestPart}). */
export interface ErrorScope extends RequestPart {
  readonly errorIds?: readonly string[];
}

/** Builds SQL for the id of the error that a failed request belongs to after merges, and for a value of that error. */
export function selectShownError({ merged, targets }: Pick<MergedErrors, 'merged' | 'targets'>) {
  if (merged.length === 0) {
    return { id: ERROR_ID, choose: (value: string) => `any(${value})`, params: {} };
  }
  const id = `transform(${ERROR_ID}, {merged:Array(String)}, {targets:Array(String)})`;
  return {
    id,
    // The value of the target's own requests; if no such request is stored, the newest value of the merged errors.
    choose: (value: string) => `argMax(${value}, (${ERROR_ID} = ${id}, start_time))`,
    params: { merged, targets } satisfies QueryParams,
  };
}

/**
 * Finds the errors that were seen in a range, the most recently seen first. The times of the first and the last occurrence refer to all
 * stored traces, not only to the range.
 */
export async function findErrors(
  store: TraceStore,
  project: ShownProject,
  range: Range,
  merges: MergedErrors,
  { errorIds, ...part }: ErrorScope = {},
): Promise<ErrorRow[]> {
  const { sql: inPart, params } = selectPart(part);
  const shown = selectShownError(merges);
  const isError = errorIds === undefined ? '' : ` AND ${ERROR_ID} IN {errorIds:Array(String)}`;
  const inRange = 'start_time >= fromUnixTimestamp64Micro({from:Int64})';
  return store.rows(
    ErrorRow,
    `SELECT ${shown.id} AS error_id, ${shown.choose('toString(service)')} AS service_name, ${shown.choose(`toString(${ERROR_GROUP})`)} AS message,
       arraySort(groupUniqArray(${MAX_MERGED_ERRORS})(toString(service))) AS services, countIf(${inRange}) AS errors,
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
    {
      ...buildParams(project, range),
      ...params,
      ...shown.params,
      ...(errorIds !== undefined && { errorIds }),
    },
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

const OF_ERROR = `is_error AND ${ERROR_ID} IN {errorIds:Array(String)}`;
const SHOWN = `start_time >= fromUnixTimestamp64Micro(greatest({since:Int64}, {from:Int64}))
  AND start_time < fromUnixTimestamp64Micro({until:Int64})`;

/** Finds the users with the most requests that failed with the given errors, and the newest releases with such requests. */
export async function findAffected(
  store: TraceStore,
  project: ShownProject,
  range: Range,
  errorIds: readonly string[],
) {
  const params = { ...buildParams(project, range), errorIds };
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

/** Finds the errors that make up a merged error: when each was last seen, and how often it occurred in a range. */
export async function findParts(
  store: TraceStore,
  project: ShownProject,
  range: Range,
  errorIds: readonly string[],
) {
  return store.rows(
    z.object({
      error_id: z.string(),
      service_name: z.string(),
      message: z.string(),
      errors: count,
      last: micros,
    }),
    `SELECT ${ERROR_ID} AS error_id, any(toString(service)) AS service_name, any(toString(${ERROR_GROUP})) AS message,
       countIf(start_time >= fromUnixTimestamp64Micro({from:Int64})) AS errors, toString(toUnixTimestamp64Micro(max(start_time))) AS last
     FROM traces WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({since:Int64})
       AND start_time < fromUnixTimestamp64Micro({until:Int64}) AND ${OF_ERROR} GROUP BY error_id`,
    { ...buildParams(project, range), errorIds },
  );
}

/** Selects the requests with an error and, for comparison, the successful requests to the same endpoints of the same services. */
export function selectCompared(project: ShownProject, range: Range, errorIds: readonly string[]): Compared {
  const params = { ...buildParams(project, range), errorIds };
  const endpoint = `(service, method, ${ENDPOINT})`;
  return {
    matching: { sql: [OF_ERROR], params: { errorIds } },
    all: {
      sql: [
        `project_id = {project:UUID} AND ${SHOWN} AND (NOT is_error OR (${OF_ERROR}))`,
        `${endpoint} IN (SELECT ${endpoint} FROM traces WHERE project_id = {project:UUID} AND ${SHOWN} AND ${OF_ERROR})`,
      ],
      params,
    },
  };
}
