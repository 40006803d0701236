// Grouping expressions for stats, as SQL over the columns of traces, and of steps and spans.

/** A segment is an id, not a name, if it is a number, a UUID, hexadecimal digits, or long and with digits. */
const IS_ID = `match(segment, '^([0-9]+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$')
  OR (match(segment, '[0-9]') AND (match(segment, '^[0-9a-fA-F]{8,}$') OR length(segment) >= 20))`;

/** Builds SQL for a path with `:id` in place of ids. */
function withoutIds(path: string): string {
  return `arrayStringConcat(arrayMap(segment -> if(${IS_ID}, ':id', segment), splitByChar('/', ${path})), '/')`;
}

/** A column computed when a trace is stored: the route, or, if none is known, the path without its query and with `:id` in place of ids. */
export const ENDPOINT = 'endpoint';

/** The first part of an endpoint's path after /api and /vN; the regular expression works the same in JavaScript and RE2. */
export const FEATURE = `extract(${ENDPOINT}, '^/*(?:api(?:/+|$))?(?:v[0-9]+(?:/+|$))?([^/]*)')`;

/** A computed column: the error message with … for quoted text, ids, numbers and other values; the status if there is no message. */
export const ERROR_GROUP = 'error_group';
/** Limits the characters of a message in an error group. */
export const MAX_MESSAGE_LENGTH = 500;

/** A step's name in stats; for HTTP calls with `:id` in place of ids. */
export const STEP_NAME = `if(type = 'http', ${withoutIds('toString(name)')}, toString(name))`;

/** The server that a step calls, from its metadata, its name, or its type alone. */
export const STEP_DEPENDENCY = `multiIf(
  type = 'http', coalesce(nullIf(JSONExtractString(metadata, 'server.address'), ''), nullIf(extract(name, '^[^ ]+ ([^/?# ]+)'), ''), 'http'),
  type IN ('database', 'cache'), lower(coalesce(nullIf(JSONExtractString(metadata, 'db.system.name'), ''),
    nullIf(JSONExtractString(metadata, 'db.system'), ''), toString(type))),
  type = 'queue', coalesce(nullIf(JSONExtractString(metadata, 'messaging.system'), ''), 'queue'),
  '')`;

/** The number of calls in a row of steps. */
export const STEP_CALLS = `if(repeat = '', 1, JSONExtractUInt(repeat, 'count'))`;

/** Distinguishes a span's query from others of the same name: its text without values that differ from call to call. Empty if it has none. */
export const SPAN_QUERY = `if(JSONExtractString(captured, 'inputs', 'query') AS query_ = '', '',
  toString(cityHash64(replaceRegexpAll(query_, '\\'[^\\']*\\'|[0-9]+', ''))))`;
