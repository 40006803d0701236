// SQL expressions that group stats, over the columns of traces, steps and spans.

/**
 * A path segment counts as an id in three cases: it is a number; it is a UUID; it contains a digit, and it has 20 or more characters or
 * consists of 8 or more hexadecimal digits.
 */
const IS_ID = `match(segment, '^([0-9]+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$')
  OR (match(segment, '[0-9]') AND (match(segment, '^[0-9a-fA-F]{8,}$') OR length(segment) >= 20))`;

/** Builds SQL for a path with `:id` in place of ids. */
function withoutIds(path: string): string {
  return `arrayStringConcat(arrayMap(segment -> if(${IS_ID}, ':id', segment), splitByChar('/', ${path})), '/')`;
}

/**
 * A column computed when a trace is stored: the route. If no route is known, it is the path without its query and with `:id` in place of
 * ids.
 */
export const ENDPOINT = 'endpoint';

/**
 * The first part of an endpoint's path after /api and /vN. JavaScript and RE2 (ClickHouse) must read the regular expression the same way.
 */
export const FEATURE = `extract(${ENDPOINT}, '^/*(?:api(?:/+|$))?(?:v[0-9]+(?:/+|$))?([^/]*)')`;

/**
 * A column computed when a trace is stored: the error message with ... in place of quoted text, ids, numbers and other values, or the
 * status if there is no message.
 */
export const ERROR_GROUP = 'error_group';
/** Id of the error that contains all failed requests of a service with the same message: a hash of service and error group. */
export const ERROR_ID = buildErrorId('service', ERROR_GROUP);
/** Builds SQL for the id of an error from SQL for its service and SQL for its error group. */
export function buildErrorId(service: string, group: string): string {
  return `lower(hex(MD5(concat(${service}, '\\n', ${group}))))`;
}
/**
 * A column written when a trace is stored: the error's type, the function that threw the error, and the file of that function. An empty
 * string if the place is unknown (see `ErrorPlace`).
 */
export const ERROR_PLACE = 'error_place';
/** Id of an error that contains only failed requests with the same service, the same message and the same `error_place`. */
export const PLACED_ERROR_ID = `lower(hex(MD5(concat(${ERROR_ID}, ${ERROR_PLACE}))))`;
/** Maximum number of characters of a message in an error group. */
export const MAX_MESSAGE_LENGTH = 500;

/** A step's name in stats. In names of HTTP calls, `:id` replaces ids. */
export const STEP_NAME = `if(type = 'http', ${withoutIds('toString(name)')}, toString(name))`;

/**
 * The dependency that a step calls: the host of an HTTP call, or the database, cache or messaging system. Read from the step's metadata,
 * else from the name of an HTTP call, else from the step type. An empty string for steps of other types.
 */
export const STEP_DEPENDENCY = `multiIf(
  type = 'http', coalesce(nullIf(JSONExtractString(metadata, 'server.address'), ''), nullIf(extract(name, '^[^ ]+ ([^/?# ]+)'), ''), 'http'),
  type IN ('database', 'cache'), lower(coalesce(nullIf(JSONExtractString(metadata, 'db.system.name'), ''),
    nullIf(JSONExtractString(metadata, 'db.system'), ''), toString(type))),
  type = 'queue', coalesce(nullIf(JSONExtractString(metadata, 'messaging.system'), ''), 'queue'),
  '')`;

/** The number of calls that a stored step represents; above 1 for a call aggregate. */
export const STEP_CALLS = `if(repeat = '', 1, JSONExtractUInt(repeat, 'count'))`;

/**
 * Distinguishes the query of a span from other queries with the same span name: a hash of the query without its values. An empty string if
 * the span has no query.
 */
export const SPAN_QUERY = `if(JSONExtractString(captured, 'inputs', 'query') AS query_ = '', '',
  toString(cityHash64(replaceRegexpAll(query_, '\\'[^\\']*\\'|[0-9]+', ''))))`;
