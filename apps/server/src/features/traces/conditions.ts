import { isErrorTrace, type TraceFilters, type TraceRow } from '@throughline/contract';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { QueryParams } from '../../platform/trace-store/index.ts';

/** Conditions of a WHERE, and the values that stand in them as parameters. */
export interface Conditions {
  readonly sql: readonly string[];
  readonly params: QueryParams;
}

export function both(one: Conditions, other: Conditions): Conditions {
  return { sql: [...one.sql, ...other.sql], params: { ...one.params, ...other.params } };
}

/**
 * Traces of these projects that are not expired: the condition that every query over traces begins with.
 * There must be one project at least.
 */
export function inProjects(projects: readonly ShownProject[]): Conditions {
  // Those of one account share the instant, so fifty projects are one condition; a single id lets the engine read in the order of the table.
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

type Filters = Omit<TraceFilters, 'projectId'>;

/** One filter, said twice: in SQL for lists, and over a row for the live feed. */
interface Filter<Value> {
  readonly sql: string | ((value: Value) => string);
  readonly param: (value: Value) => string | number;
  readonly matches: (row: TraceRow, value: Value) => boolean;
}

type Values = { readonly [Name in keyof Filters]-?: NonNullable<Filters[Name]> };

const IN_PATH = 'positionCaseInsensitiveUTF8(path, {search:String}) > 0';

const FILTERS: { readonly [Name in keyof Values]: Filter<Values[Name]> } = {
  status: {
    sql: `is_error = ({status:String} = 'error')`,
    param: (status) => status,
    matches: (row, status) =>
      isErrorTrace(row.response.statusCode, row.error.hasError) === (status === 'error'),
  },
  method: {
    sql: 'upper(method) = {method:String}',
    param: (method) => method.toUpperCase(),
    matches: (row, method) => row.request.method.toUpperCase() === method.toUpperCase(),
  },
  search: {
    // Trace ids are random, so reading them takes longer than reading paths: only for what one may begin with.
    sql: (search) =>
      /^[\da-f]{1,32}$/i.test(search)
        ? `(${IN_PATH} OR startsWith(trace_id, lower({search:String})))`
        : IN_PATH,
    param: (search) => search,
    matches: (row, search) =>
      row.request.path.toLowerCase().includes(search.toLowerCase()) ||
      row.traceId.startsWith(search.toLowerCase()),
  },
  route: {
    sql: 'route = {route:String}',
    param: (route) => route,
    matches: (row, route) => (row.request.route ?? '') === route,
  },
  minDuration: {
    sql: 'duration_micros >= {minDuration:Float64} * 1000',
    param: (ms) => ms,
    matches: (row, ms) => micros(row) >= ms * 1000,
  },
  maxDuration: {
    sql: 'duration_micros <= {maxDuration:Float64} * 1000',
    param: (ms) => ms,
    matches: (row, ms) => micros(row) <= ms * 1000,
  },
  statusCode: {
    sql: 'status_code = {statusCode:Int64}',
    param: (statusCode) => statusCode,
    matches: (row, statusCode) => (row.response.statusCode ?? 0) === statusCode,
  },
  service: {
    sql: 'service = {service:String}',
    param: (service) => service,
    matches: (row, service) => row.service === service,
  },
  environment: {
    sql: 'environment = {environment:String}',
    param: (environment) => environment,
    matches: (row, environment) => row.environment === environment,
  },
  release: {
    sql: 'release = {release:String}',
    param: (release) => release,
    matches: (row, release) => row.release === release,
  },
};

function micros(row: TraceRow): number {
  return Math.round(row.timing.duration * 1000);
}

/** The filters that are set. */
export function filteredBy(filters: Filters): Conditions {
  const sql: string[] = [];
  const params: { [name: string]: string | number } = {};
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

/** Whether a row is one that {@link filteredBy} would find. */
export function matches(row: TraceRow, filters: Filters): boolean {
  const passes = <Name extends keyof Values>(name: Name) => {
    const value = setValue(filters, name);
    return value === undefined || FILTERS[name].matches(row, value);
  };
  return NAMES.every(passes);
}

/** An empty field of a form filters nothing. */
function setValue<Name extends keyof Filters>(filters: Filters, name: Name): Values[Name] | undefined {
  const given: { readonly [Each in keyof Values]?: Values[Each] | undefined } = filters;
  const value = given[name];
  return value === '' ? undefined : value;
}

const NAMES = Object.keys(FILTERS) as readonly (keyof Filters)[];
