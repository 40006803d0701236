// What figures group by, as SQL over the columns of traces, and of steps and spans.

/** A segment that is a number, a UUID, hexadecimal digits, or long with digits in it is an id, not a name. */
const IS_ID = `match(segment, '^([0-9]+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$')
  OR (match(segment, '[0-9]') AND (match(segment, '^[0-9a-fA-F]{8,}$') OR length(segment) >= 20))`;

/** SQL of a path with `:id` for what looks like one. */
function withoutIds(path: string): string {
  return `arrayStringConcat(arrayMap(segment -> if(${IS_ID}, ':id', segment), splitByChar('/', ${path})), '/')`;
}

/** The route, or where none is known the path with `:id` for what looks like one, without a query. */
export const ENDPOINT = `if(route != '', toString(route), ${withoutIds('cutQueryString(path)')})`;

/** The first part of an endpoint's path after /api and /vN; the same in JavaScript and RE2. */
export const FEATURE = `extract(${ENDPOINT}, '^/*(?:api(?:/+|$))?(?:v[0-9]+(?:/+|$))?([^/]*)')`;

/** Ids and numbers in messages, which differ from one error to the next; the same in JavaScript and RE2. */
const VARIABLE =
  '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|\\\\b[0-9a-fA-F]{8,}\\\\b|\\\\b[0-9]+(?:\\\\.[0-9]+)*\\\\b';
export const LONGEST_MESSAGE = 500;

/** What an error says without what differs; its status where it says nothing. */
export const ERROR_GROUP = `if(error_message = '', if(status_code = 0, 'No response', concat('HTTP ', toString(status_code))),
  replaceRegexpAll(substringUTF8(error_message, 1, ${LONGEST_MESSAGE}), '${VARIABLE}', '…'))`;

/** What a step is called in figures: what asks another server, by the path's shape. */
export const STEP_NAME = `if(type = 'http', ${withoutIds('toString(name)')}, toString(name))`;

/** What a step asks; it may be known by its metadata, by its name, or by its kind alone. */
export const STEP_DEPENDENCY = `multiIf(
  type = 'http', coalesce(nullIf(JSONExtractString(metadata, 'server.address'), ''), nullIf(extract(name, '^[^ ]+ ([^/?# ]+)'), ''), 'http'),
  type IN ('database', 'cache'), lower(coalesce(nullIf(JSONExtractString(metadata, 'db.system.name'), ''),
    nullIf(JSONExtractString(metadata, 'db.system'), ''), toString(type))),
  type = 'queue', coalesce(nullIf(JSONExtractString(metadata, 'messaging.system'), ''), 'queue'),
  '')`;
