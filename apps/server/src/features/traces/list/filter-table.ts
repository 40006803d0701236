import { isErrorTrace, type SingleFilters, type TraceRow } from '@throughline/contract';
import { type QueryParams, timeOfTraceId } from '../../../platform/trace-store/index.ts';
import { ENDPOINT, ERROR_GROUP, ERROR_ID, FEATURE, PLACED_ERROR_ID } from '../../rollups/index.ts';

/** Marks a filter that needs a query, because a list row lacks the field. */
export const NOT_IN_ROW = 'not in row';

/** One filter in two forms: SQL for lists, and a test of a row for the live feed. */
interface Filter<Value> {
  readonly sql: string | ((value: Value) => string);
  readonly param: (value: Value) => QueryParams[string];
  readonly matches: ((value: Value) => RowTest) | typeof NOT_IN_ROW;
}

export type RowTest = (row: TraceRow) => boolean;

/** Filters on steps, callers, attributes and captured values, which have their own queries. */
export type OwnQuery =
  | 'stepName'
  | 'stepType'
  | 'dependency'
  | 'stepStatus'
  | 'minCalls'
  | 'caller'
  | 'callers'
  | 'attribute'
  | 'value';

export type Values = {
  readonly [Name in Exclude<keyof SingleFilters, OwnQuery>]-?: NonNullable<SingleFilters[Name]>;
};

/** CLDR's code for an unknown country. Such a country is stored as an empty string. */
const UNKNOWN_COUNTRY = 'ZZ';
const IN_PATH = 'positionCaseInsensitiveUTF8(path, {search:String}) > 0';

/** The filters that are conditions on a trace's row. */
export const FILTERS: { readonly [Name in keyof Values]: Filter<Values[Name]> } = {
  status: {
    sql: `is_error = ({status:String} = 'error')`,
    param: (status) => status,
    matches: (status) => (row) =>
      isErrorTrace(row.response.statusCode, row.error.hasError) === (status === 'error'),
  },
  method: {
    sql: 'upper(method) = {method:String}',
    param: (method) => method.toUpperCase(),
    matches: (method) => {
      const wanted = method.toUpperCase();
      return (row) => row.request.method.toUpperCase() === wanted;
    },
  },
  search: {
    // Trace ids are searched only if the text can be the beginning of one: random ids compress badly, so reading them takes longer than
    // reading paths.
    sql: (search) =>
      /^[\da-f]{1,32}$/i.test(search)
        ? `(${IN_PATH} OR startsWith(trace_id, lower({search:String})))`
        : IN_PATH,
    param: (search) => search,
    matches: (search) => {
      const wanted = search.toLowerCase();
      return (row) => row.request.path.toLowerCase().includes(wanted) || row.traceId.startsWith(wanted);
    },
  },
  route: {
    sql: 'route = {route:String}',
    param: (route) => route,
    matches: (route) => (row) => (row.request.route ?? '') === route,
  },
  minDuration: {
    sql: 'duration_micros >= {minDuration:Float64} * 1000',
    param: (ms) => ms,
    matches: (ms) => (row) => readMicros(row) >= ms * 1000,
  },
  maxDuration: {
    sql: 'duration_micros <= {maxDuration:Float64} * 1000',
    param: (ms) => ms,
    matches: (ms) => (row) => readMicros(row) <= ms * 1000,
  },
  statusCode: {
    sql: 'status_code = {statusCode:Int64}',
    param: (statusCode) => statusCode,
    matches: (statusCode) => (row) => (row.response.statusCode ?? 0) === statusCode,
  },
  statusClass: {
    sql: (band) =>
      band === '5xx'
        ? 'status_code BETWEEN 500 AND 599'
        : `multiIf(status_code BETWEEN 200 AND 299, '2xx', status_code BETWEEN 300 AND 399, '3xx', status_code BETWEEN 400 AND 499, '4xx', 'other') = {statusClass:String}`,
    param: (band) => band,
    matches: (band) => (row) => isInStatusClass(row.response.statusCode ?? 0, band),
  },
  service: {
    sql: 'service = {service:String}',
    param: (service) => service,
    matches: (service) => (row) => row.service === service,
  },
  services: {
    sql: `(service = '') = ({services:String} = 'unnamed')`,
    param: (services) => services,
    matches: (services) => (row) => (row.service === '') === (services === 'unnamed'),
  },
  environment: {
    sql: 'environment = {environment:String}',
    param: (environment) => environment,
    matches: (environment) => (row) => row.environment === environment,
  },
  instance: {
    sql: 'instance = {instance:String}',
    param: (instance) => instance,
    matches: (instance) => (row) => row.instance === instance,
  },
  release: {
    sql: 'release = {release:String}',
    param: (release) => release,
    matches: (release) => (row) => row.release === release,
  },
  users: {
    sql: `(user_id = '') = ({users:String} = 'unknown')`,
    param: (users) => users,
    matches: (users) => (row) => (row.userId === null) === (users === 'unknown'),
  },
  user: {
    sql: 'user_id = {user:String}',
    param: (user) => user,
    matches: (user) => (row) => row.userId === user,
  },
  session: {
    sql: 'session_id = {session:String}',
    param: (session) => session,
    matches: (session) => (row) => row.sessionId === session,
  },
  country: {
    sql: 'country = {country:String}',
    param: toStoredCountry,
    matches: (country) => (row) => (row.country ?? '') === toStoredCountry(country),
  },
  endpoint: {
    sql: `${ENDPOINT} = {endpoint:String}`,
    param: (endpoint) => endpoint,
    matches: NOT_IN_ROW,
  },
  feature: {
    sql: `${FEATURE} = {feature:String}`,
    param: (feature) => (feature === '/' ? '' : feature),
    matches: NOT_IN_ROW,
  },
  errorGroup: {
    sql: `is_error AND ${ERROR_GROUP} = {errorGroup:String}`,
    param: (group) => group,
    matches: NOT_IN_ROW,
  },
  errorIds: {
    // Both kinds of ids are accepted. The id of an error grouped by message finds the requests of all functions that threw the message; the
    // id of one function's error finds only the requests of this function.
    sql: `is_error AND (${ERROR_ID} IN {errorIds:Array(String)} OR ${PLACED_ERROR_ID} IN {errorIds:Array(String)})`,
    param: splitIds,
    matches: NOT_IN_ROW,
  },
  errorText: {
    sql: 'is_error AND positionCaseInsensitiveUTF8(error_message, {errorText:String}) > 0',
    param: (text) => text,
    // Not testable on a row: a row contains only the beginning of a long message.
    matches: NOT_IN_ROW,
  },
  minSteps: {
    sql: 'step_count >= {minSteps:Int64}',
    param: (steps) => steps,
    matches: (steps) => (row) => row.stepCount >= steps,
  },
  maxSteps: {
    sql: 'step_count <= {maxSteps:Int64}',
    param: (steps) => steps,
    matches: (steps) => (row) => row.stepCount <= steps,
  },
  requests: {
    sql: (requests) => {
      // `times` contains only numbers, so inserting them into SQL is safe. ClickHouse reads only the parts of the table with these times.
      const times = new Set(splitIds(requests).map(timeOfTraceId));
      return `(id_time_ms IN (${[...times].join(', ')}) AND id IN {requests:Array(UUID)})`;
    },
    param: splitIds,
    matches: (requests) => {
      const wanted = new Set(splitIds(requests));
      return (row) => wanted.has(row._id);
    },
  },
};

function splitIds(ids: string): readonly string[] {
  return ids.toLowerCase().split(',');
}

function toStoredCountry(country: string): string {
  return country.toUpperCase().replace(UNKNOWN_COUNTRY, '');
}

function isInStatusClass(statusCode: number, wanted: Values['statusClass']): boolean {
  if (wanted === 'other') return statusCode < 200 || statusCode > 499;
  return `${Math.floor(statusCode / 100)}xx` === wanted;
}

function readMicros(row: TraceRow): number {
  return Math.round(row.timing.duration * 1000);
}
