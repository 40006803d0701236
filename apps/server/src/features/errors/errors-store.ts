import {
  type ErrorSort,
  MAX_LISTED_ERRORS,
  MAX_MERGED_ERRORS,
  type Order,
  splitSearch,
  TREND_PARTS,
} from '@throughline/contract';
import { z } from 'zod';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { QueryParams, TraceStore } from '../../platform/trace-store/index.ts';
import {
  ENDPOINT,
  ERROR_GROUP,
  ERROR_ID,
  ERROR_PLACE,
  type RequestPart,
  selectPart,
} from '../rollups/index.ts';
import { buildFilterConditions, readFilters } from '../traces/index.ts';
import type { ClosedError } from './decisions-store.ts';
import type { ErrorGrouping } from './grouping/error-grouping.ts';
import { type ErrorSql, selectOwnError, selectShownError } from './grouping/grouping-store.ts';
import { type ListedState, selectState } from './state-store.ts';

/** Maximum number of affected users, and of affected releases, that are listed for an error. */
const MAX_AFFECTED = 20;
const MAX_SAME_MESSAGE = 20;

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
  place: z.string(),
  /**
   * The hash of the service and the message: the id of the error before a split by function. Equals `error_id`, except for an error that
   * was split off. Empty if the error has only requests of errors that were merged into it.
   */
  message_id: z.string(),
  /**
   * Number of different places (type, function and file) at which the error was thrown. `first_placed` is the start of the first request
   * with a known place.
   */
  places: count,
  first_placed: micros,
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

/** The failed requests to read: the requests with certain errors, or in a part of the project (see {@link RequestPart}). */
export interface ErrorScope extends RequestPart {
  /** The condition for the failed requests of the errors; see `selectErrors`. */
  readonly of?: ErrorSql;
  /** A query in the filter language. Its terms must be conditions on a request's row: not on steps, attributes, callers or values. */
  readonly filter?: string | null;
}

/** The state and the order of the errors of a list, and the words that each listed error contains. */
export interface ErrorListing {
  readonly state: ListedState;
  readonly sort: ErrorSort;
  readonly order: Order;
  readonly search?: string | undefined;
}

export const NEWEST_FIRST: ErrorListing = { state: 'all', sort: 'lastSeen', order: 'descending' };

const SORTED_BY: Readonly<Record<ErrorSort, string>> = {
  lastSeen: 'max(start_time)',
  firstSeen: 'min(start_time)',
  count: 'errors',
  users: 'users',
  message: 'lowerUTF8(message)',
};

/** The condition for all failed requests. */
const ALL: ErrorSql = { sql: 'is_error', params: {} };

/** Maximum number of an error's endpoints that a search compares with its words. */
const MAX_SEARCHED_ENDPOINTS = 100;

/**
 * Finds the errors that were seen in a range, at most {@link MAX_LISTED_ERRORS}, and whether these are all of them. The times of the first
 * and the last occurrence refer to all stored traces before the end of the range. `closed` contains the resolved and ignored errors if open
 * errors are listed, otherwise the errors with the listed state; for a list of all errors, `closed` is empty.
 */
export async function findErrors(
  store: TraceStore,
  project: ShownProject,
  range: Range,
  grouping: ErrorGrouping,
  { of = ALL, filter, ...part }: ErrorScope,
  listing: ErrorListing,
  closed: readonly ClosedError[],
): Promise<{ readonly rows: ErrorRow[]; readonly isAll: boolean }> {
  const { sql: inPart, params } = selectPart(part);
  const filtered = buildFilterConditions(readFilters({ q: filter ?? '' }).filters);
  const shown = selectShownError(grouping);
  const inRange = 'start_time >= fromUnixTimestamp64Micro({from:Int64})';
  const searched = selectSearched(listing.search, inRange);
  const inState = selectState(listing.state, closed);
  const rows = await store.rows(
    ErrorRow,
    `SELECT ${shown.id} AS error_id, ${shown.choose('toString(service)')} AS service_name, ${shown.choose(`toString(${ERROR_GROUP})`)} AS message,
       argMaxIf(toString(${ERROR_PLACE}), start_time, ${ERROR_PLACE} != '' AND ${shown.isOwn}) AS place,
       anyIf(${ERROR_ID}, ${shown.isOwn}) AS message_id, uniqExactIf(${ERROR_PLACE}, ${ERROR_PLACE} != '') AS places,
       toString(toUnixTimestamp64Micro(minIf(start_time, ${ERROR_PLACE} != ''))) AS first_placed,
       arraySort(groupUniqArray(${MAX_MERGED_ERRORS})(toString(service))) AS services, countIf(${inRange}) AS errors,
       uniqExactIf(user_id, user_id != '' AND ${inRange}) AS users, uniqExactIf((method, ${ENDPOINT}), ${inRange}) AS endpoint_count,
       topKIf(1)(concat(method, ' ', ${ENDPOINT}), ${inRange})[1] AS most_endpoint,
       toString(toUnixTimestamp64Micro(min(start_time))) AS first, toString(toUnixTimestamp64Micro(max(start_time))) AS last,
       argMin(release, start_time) AS first_release, argMax(release, start_time) AS last_release,
       toString(argMax(id, start_time)) AS newest,
       sumMapIf([toUInt8(least(${TREND_PARTS - 1}, intDiv(toUnixTimestamp64Micro(start_time) - {from:Int64}, {part:Int64})))], [1], ${inRange}) AS trend,
       tupleElement(maxMap([toString(release)], [toUnixTimestamp64Micro(start_time)]) AS by_release, 1) AS release_names,
       (release_names, arrayMap(at -> toString(at), tupleElement(by_release, 2))) AS releases
     FROM traces WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({since:Int64})
       AND start_time < fromUnixTimestamp64Micro({until:Int64}) AND ${[of.sql, ...filtered.sql].join(' AND ')}${inPart}
     GROUP BY error_id HAVING errors > 0 AND ${searched.sql} AND ${inState.sql}
     ORDER BY ${SORTED_BY[listing.sort]} ${listing.order === 'ascending' ? 'ASC' : 'DESC'}, error_id LIMIT ${MAX_LISTED_ERRORS + 1}`,
    {
      ...buildParams(project, range),
      ...params,
      ...filtered.params,
      ...shown.params,
      ...of.params,
      ...searched.params,
      ...inState.params,
    },
  );
  return { rows: rows.slice(0, MAX_LISTED_ERRORS), isAll: rows.length <= MAX_LISTED_ERRORS };
}

/** Builds the condition for errors that contain each word of the search. */
function selectSearched(search: string | undefined, inRange: string) {
  const words = splitSearch(search);
  if (words.length === 0) return { sql: 'true', params: {} };
  const text = `lowerUTF8(concat(message, '\\n', arrayStringConcat(services, '\\n'), '\\n', place, '\\n', last_release, '\\n',
    arrayStringConcat(groupUniqArrayIf(${MAX_SEARCHED_ENDPOINTS})(concat(method, ' ', ${ENDPOINT}), ${inRange}), '\\n')))`;
  return {
    sql: `arrayAll(word -> position(${text}, lowerUTF8(word)) > 0, {errorWords:Array(String)})`,
    params: { errorWords: words },
  };
}

export function buildParams({ id, shownSince }: ShownProject, { from, until }: Range): QueryParams {
  return {
    project: id,
    since: String(shownSince),
    from: String(from),
    until: String(until),
    part: String(findPartLength({ from, until })),
  };
}

/** A trend splits the range into `TREND_PARTS` parts. Returns the length of a part, in µs. */
function findPartLength({ from, until }: Range): bigint {
  return (until - from) / BigInt(TREND_PARTS) + 1n;
}

/**
 * Returns the start of the latest part of the trend such that the error has at least `wanted` requests in this part and the later parts.
 * Returns the start of the range if the error has fewer requests.
 */
export function findStartOfNewest(
  { trend: [parts, counts] }: ErrorRow,
  range: Range,
  wanted: number,
): bigint {
  let found = 0;
  for (const [index, part] of [...parts.entries()].reverse()) {
    found += counts[index] ?? 0;
    if (found >= wanted) return range.from + BigInt(part) * findPartLength(range);
  }
  return range.from;
}

export const SHOWN = `start_time >= fromUnixTimestamp64Micro(greatest({since:Int64}, {from:Int64}))
  AND start_time < fromUnixTimestamp64Micro({until:Int64})`;

/** Finds the users with the most requests that failed with the given errors, and the newest releases with such requests. */
export async function findAffected(store: TraceStore, project: ShownProject, range: Range, of: ErrorSql) {
  const rows = await store.rows(
    z.object({ is_release: count, name: z.string(), errors: count, last: micros }),
    `SELECT grouping(user_id) = 1 AS is_release, if(is_release, toString(release), user_id) AS name, count() AS errors,
       toString(toUnixTimestamp64Micro(max(start_time))) AS last
     FROM traces WHERE project_id = {project:UUID} AND ${SHOWN} AND ${of.sql} GROUP BY GROUPING SETS ((user_id), (release)) HAVING name != ''
     ORDER BY is_release, if(is_release, 0, errors) DESC, max(start_time) DESC LIMIT ${MAX_AFFECTED} BY is_release`,
    { ...buildParams(project, range), ...of.params },
  );
  return {
    people: rows.filter(({ is_release }) => is_release === 0),
    releases: rows.filter(({ is_release }) => is_release === 1),
  };
}

/** Finds the errors that make up a merged error: when each was last seen, and how often it occurred in a range. */
export async function findParts(
  store: TraceStore,
  project: ShownProject,
  range: Range,
  grouping: ErrorGrouping,
  of: ErrorSql,
) {
  return store.rows(
    z.object({
      error_id: z.string(),
      message_id: z.string(),
      service_name: z.string(),
      message: z.string(),
      errors: count,
      last: micros,
    }),
    `SELECT ${selectOwnError(grouping).sql} AS error_id, any(${ERROR_ID}) AS message_id, any(toString(service)) AS service_name, any(toString(${ERROR_GROUP})) AS message,
       countIf(start_time >= fromUnixTimestamp64Micro({from:Int64})) AS errors, toString(toUnixTimestamp64Micro(max(start_time))) AS last
     FROM traces WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({since:Int64})
       AND start_time < fromUnixTimestamp64Micro({until:Int64}) AND ${of.sql} GROUP BY error_id`,
    { ...buildParams(project, range), ...of.params },
  );
}

/**
 * Finds the errors into which the error `messageId` was split by function, without the errors in `except`. For each of them, finds the
 * function, the last occurrence before the end of the range, and the number of occurrences in the range. Errors that occurred in the range
 * come first.
 */
export async function findSameMessage(
  store: TraceStore,
  project: ShownProject,
  range: Range,
  grouping: ErrorGrouping,
  { messageId, except }: { readonly messageId: string; readonly except: readonly string[] },
) {
  const own = selectOwnError(grouping);
  return store.rows(
    z.object({ error_id: z.string(), place: z.string(), errors: count, last: micros }),
    `SELECT ${own.sql} AS error_id, argMaxIf(toString(${ERROR_PLACE}), start_time, ${ERROR_PLACE} != '') AS place,
       countIf(start_time >= fromUnixTimestamp64Micro({from:Int64})) AS errors, toString(toUnixTimestamp64Micro(max(start_time))) AS last
     FROM traces WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({since:Int64})
       AND start_time < fromUnixTimestamp64Micro({until:Int64}) AND is_error AND ${ERROR_ID} = {message:String}
     GROUP BY error_id HAVING error_id NOT IN {except:Array(String)}
     ORDER BY errors > 0 DESC, max(start_time) DESC, error_id LIMIT ${MAX_SAME_MESSAGE}`,
    { ...buildParams(project, range), ...own.params, message: messageId, except },
  );
}

/**
 * Finds the periods in which the given errors, and the errors that were split off them, occurred. `period` is the index of the period, and
 * `first` is the error's first occurrence in this period.
 */
export async function findInPeriods(
  store: TraceStore,
  { id, shownSince }: ShownProject,
  periods: readonly Range[],
  grouping: ErrorGrouping,
  errorIds: readonly string[],
) {
  const own = selectOwnError(grouping);
  const begins = periods.map(({ from }) => (from > shownSince ? from : shownSince)).map(Number);
  const ends = periods.map(({ until }) => Number(until));
  return store.rows(
    z.object({ period: count, error_id: z.string(), message_id: z.string(), first: micros }),
    `SELECT arrayJoin(arrayFilter((at, begin, end) -> toUnixTimestamp64Micro(start_time) >= begin AND toUnixTimestamp64Micro(start_time) < end,
         range(length({begins:Array(Int64)})), {begins:Array(Int64)}, {ends:Array(Int64)})) AS period,
       ${own.sql} AS error_id, ${ERROR_ID} AS message_id, toString(toUnixTimestamp64Micro(min(start_time))) AS first
     FROM traces WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({from:Int64})
       AND start_time < fromUnixTimestamp64Micro({until:Int64}) AND is_error
       AND (error_id IN {errorIds:Array(String)} OR message_id IN {errorIds:Array(String)})
     GROUP BY period, error_id, message_id`,
    {
      ...{ project: id, begins, ends, from: Math.min(...begins), until: Math.max(...ends) },
      ...{ ...own.params, errorIds },
    },
  );
}
