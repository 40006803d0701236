// What figures group by, as SQL over the columns of traces, and of steps and spans.

/** A segment that is a number, a UUID, hexadecimal digits, or long with digits in it is an id, not a name. */
const IS_ID = `match(segment, '^([0-9]+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$')
  OR (match(segment, '[0-9]') AND (match(segment, '^[0-9a-fA-F]{8,}$') OR length(segment) >= 20))`;

/** SQL of a path with `:id` for what looks like one. */
function withoutIds(path: string): string {
  return `arrayStringConcat(arrayMap(segment -> if(${IS_ID}, ':id', segment), splitByChar('/', ${path})), '/')`;
}

/** A column that is made when a trace is stored: the route, or where none is known the path with `:id` for what looks like one, without a query. */
export const ENDPOINT = 'endpoint';

/** The first part of an endpoint's path after /api and /vN; the same in JavaScript and RE2. */
export const FEATURE = `extract(${ENDPOINT}, '^/*(?:api(?:/+|$))?(?:v[0-9]+(?:/+|$))?([^/]*)')`;

/** A column as well: what a failed request says, with … for quoted text, ids, numbers and other values; its status where it says nothing. */
export const ERROR_GROUP = 'error_group';
/** So many characters of a message are in it. */
export const MAX_MESSAGE_LENGTH = 500;

/** What a step is called in figures: what asks another server, by the path's shape. */
export const STEP_NAME = `if(type = 'http', ${withoutIds('toString(name)')}, toString(name))`;

/** What a step asks; it may be known by its metadata, by its name, or by its kind alone. */
export const STEP_DEPENDENCY = `multiIf(
  type = 'http', coalesce(nullIf(JSONExtractString(metadata, 'server.address'), ''), nullIf(extract(name, '^[^ ]+ ([^/?# ]+)'), ''), 'http'),
  type IN ('database', 'cache'), lower(coalesce(nullIf(JSONExtractString(metadata, 'db.system.name'), ''),
    nullIf(JSONExtractString(metadata, 'db.system'), ''), toString(type))),
  type = 'queue', coalesce(nullIf(JSONExtractString(metadata, 'messaging.system'), ''), 'queue'),
  '')`;

/** How many calls a row of steps stands for. */
export const STEP_CALLS = `if(repeat = '', 1, JSONExtractUInt(repeat, 'count'))`;

/** What tells one query of a span from another of the same name: its text without what differs from call to call. Empty where it has none. */
export const SPAN_QUERY = `if(JSONExtractString(captured, 'inputs', 'query') AS query_ = '', '',
  toString(cityHash64(replaceRegexpAll(query_, '\\'[^\\']*\\'|[0-9]+', ''))))`;
