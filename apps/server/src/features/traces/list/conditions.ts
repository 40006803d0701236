import { isErrorTrace, type TraceFilters, type TraceRow } from '@throughline/contract';
import type { ShownProject } from '../../../platform/http/guard.ts';
import { type QueryParams, timeOfTraceId } from '../../../platform/trace-store/index.ts';
import { ENDPOINT, ERROR_GROUP, FEATURE } from '../../rollups/index.ts';

/** Conditions of a WHERE clause and their parameters. */
export interface Conditions {
  readonly sql: readonly string[];
  readonly params: QueryParams;
}

export function both(one: Conditions, other: Conditions): Conditions {
  return { sql: [...one.sql, ...other.sql], params: { ...one.params, ...other.params } };
}

/** Builds the condition that every query over traces starts with: traces of these projects that are not expired. Requires at least one project. */
export function inProjects(projects: readonly ShownProject[]): Conditions {
  // Projects of one account share the instant, so fifty projects are one condition. A single id lets ClickHouse read in the table's order.
  const groups = [...Map.groupBy(projects, ({ shownSince }) => shownSince)];
  if (groups.length === 0) throw new Error('a query over traces of no project');
  const alternatives = groups.map(
    ([, some], index) =>
      `(${some.length === 1 ? `project_id = {p${index}:UUID}` : `project_id IN {p${index}:Array(UUID)}`}
        AND start_time >= fromUnixTimestamp64Micro({s${index}:Int64}))`,
  );
  const params = groups.flatMap(([shownSince, some], index) => {
    const [first, ...more] = some.map(({ id }) => id);
    if (first === undefined) return [];
    return [
      [`p${index}`, more.length === 0 ? first : [first, ...more]],
      [`s${index}`, String(shownSince)],
    ];
  });
  return { sql: [`(${alternatives.join(' OR ')})`], params: Object.fromEntries(params) };
}

/** Filters of a list, by name. */
export type Filters = Omit<TraceFilters, 'projectId'>;

/** Filters on one step that a request must have. */
export type StepFilters = Pick<Filters, 'stepName' | 'stepType' | 'dependency' | 'stepStatus' | 'minCalls'>;

export function isOfSteps({ stepName = '', stepType, dependency = '', ...rest }: StepFilters): boolean {
  const { stepStatus, minCalls } = rest;
  return [stepType, stepStatus, minCalls].some((set) => set !== undefined) || stepName + dependency !== '';
}

/** Filters on the callers of a request. */
type CallerFilters = Pick<Filters, 'caller' | 'callers'>;

export function isOfCallers({ caller = '', callers }: CallerFilters): boolean {
  return caller !== '' || callers !== undefined;
}

/** Marks a filter that cannot be checked on a list row and needs a query. */
const NOT_IN_ROW = 'not in row';

/** One filter, defined twice: in SQL for lists, and on a row for the live feed. */
interface Filter<Value> {
  readonly sql: string | ((value: Value) => string);
  readonly param: (value: Value) => QueryParams[string];
  readonly matches: ((value: Value) => RowTest) | typeof NOT_IN_ROW;
}

type RowTest = (row: TraceRow) => boolean;

type Values = {
  readonly [Name in Exclude<keyof Filters, keyof StepFilters | keyof CallerFilters>]-?: NonNullable<
    Filters[Name]
  >;
};

/** CLDR's code for an unknown country, which is stored as an empty text. */
const UNKNOWN_COUNTRY = 'ZZ';
const IN_PATH = 'positionCaseInsensitiveUTF8(path, {search:String}) > 0';

const FILTERS: { readonly [Name in keyof Values]: Filter<Values[Name]> } = {
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
    // Trace ids are random, so reading them takes longer than reading paths. They are only searched if the text can be the start of one.
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
    matches: (ms) => (row) => micros(row) >= ms * 1000,
  },
  maxDuration: {
    sql: 'duration_micros <= {maxDuration:Float64} * 1000',
    param: (ms) => ms,
    matches: (ms) => (row) => micros(row) <= ms * 1000,
  },
  statusCode: {
    sql: 'status_code = {statusCode:Int64}',
    param: (statusCode) => statusCode,
    matches: (statusCode) => (row) => (row.response.statusCode ?? 0) === statusCode,
  },
  statusClass: {
    sql: `multiIf(status_code BETWEEN 200 AND 299, '2xx', status_code BETWEEN 300 AND 399, '3xx', status_code BETWEEN 400 AND 499, '4xx', 'other') = {statusClass:String}`,
    param: (band) => band,
    matches: (band) => (row) => findStatusBand(row.response.statusCode ?? 0) === band,
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
    matches: NOT_IN_ROW,
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
    param: storedCountry,
    matches: (country) => (row) => (row.country ?? '') === storedCountry(country),
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
      // Numbers are safe to write into the SQL text: they limit where in the table the ids are.
      const times = splitIds(requests).map(timeOfTraceId);
      return `(id_time_ms BETWEEN ${Math.min(...times)} AND ${Math.max(...times)} AND id IN {requests:Array(UUID)})`;
    },
    param: splitIds,
    matches: (requests) => {
      const wanted = new Set(splitIds(requests));
      return (row) => wanted.has(row._id);
    },
  },
};

function splitIds(requests: string): readonly string[] {
  return requests.toLowerCase().split(',');
}

function storedCountry(country: string): string {
  return country.toUpperCase().replace(UNKNOWN_COUNTRY, '');
}

function findStatusBand(statusCode: number): string {
  return statusCode >= 200 && statusCode <= 499 ? `${Math.floor(statusCode / 100)}xx` : 'other';
}

function micros(row: TraceRow): number {
  return Math.round(row.timing.duration * 1000);
}

/** Builds conditions from the filters that are set. */
export function filteredBy(filters: Filters): Conditions {
  const sql: string[] = [];
  const params: { [name: string]: QueryParams[string] } = {};
  const add = <Name extends keyof Values>(name: Name) => {
    const value = setValue(filters, name);
    if (value === undefined) return;
    const { sql: condition } = FILTERS[name];
    sql.push(typeof condition === 'string' ? condition : condition(value));
    params[name] = FILTERS[name].param(value);
  };
  for (const name of NAMES) add(name);
  return { sql, params };
}

/** Builds a test for rows that {@link filteredBy} would find, as far as a row's fields can tell: see {@link asksStore}. */
export function rowFilter(filters: Filters): RowTest {
  const tests: RowTest[] = [];
  const add = <Name extends keyof Values>(name: Name) => {
    const value = setValue(filters, name);
    const { matches } = FILTERS[name];
    if (value !== undefined && matches !== NOT_IN_ROW) tests.push(matches(value));
  };
  for (const name of NAMES) add(name);
  return (row) => tests.every((passes) => passes(row));
}

/** Returns true if the filters need a query because a row's fields are not enough. */
export function asksStore(filters: Filters): boolean {
  return (
    isOfSteps(filters) ||
    isOfCallers(filters) ||
    NAMES.some((name) => FILTERS[name].matches === NOT_IN_ROW && setValue(filters, name) !== undefined)
  );
}

/** Treats an empty form field as not set. */
function setValue<Name extends keyof Values>(filters: Filters, name: Name): Values[Name] | undefined {
  const given: { readonly [Each in keyof Values]?: Values[Each] | undefined } = filters;
  const value = given[name];
  return value === '' ? undefined : value;
}

const NAMES = Object.keys(FILTERS) as readonly (keyof Values)[];
