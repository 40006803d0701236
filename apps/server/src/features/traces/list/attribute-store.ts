import {
  hashOfName,
  hashOfPair,
  type QueryParams,
  type TraceStore,
  USER_ID_NAMES,
} from '../../../platform/trace-store/index.ts';
import type { AttributeFilter } from './attributes.ts';
import type { Conditions } from './conditions.ts';
import { findRest, type Rest, selectSpanned } from './rest-store.ts';

/** Matches a value that can appear in JSON without quotes. */
const PLAIN = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Request attributes that have their own column, by their OpenTelemetry names. */
const COLUMNS: Readonly<Record<string, string>> = {
  'http.route': 'route',
  'http.request.method': 'method',
  'http.method': 'method',
  'url.path': 'path',
  'http.response.status_code': 'toString(status_code)',
  'http.status_code': 'toString(status_code)',
  'service.name': 'service',
  'service.version': 'service_version',
  'service.instance.id': 'instance',
  'deployment.environment.name': 'environment',
  'deployment.environment': 'environment',
  'session.id': 'session_id',
  ...Object.fromEntries(USER_ID_NAMES.map((name) => [name, 'user_id'])),
};

function buildOwnColumnCondition({ name, value }: AttributeFilter, prefix: string): string {
  const column = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined;
  if (column === undefined) return '';
  return value === undefined ? ` OR ${column} != ''` : ` OR ${column} = {${prefix}value:String}`;
}

/**
 * SQL for a step's attributes, each as `name:JSON`. Must be the exact expression of the skip index `by_attribute` of steps, because
 * ClickHouse compares expressions.
 */
const PAIRS_OF_STEPS = "arrayMap(pair -> concat(pair.1, ':', pair.2), JSONExtractKeysAndValuesRaw(metadata))";

/**
 * Builds SQL that writes the values as JSON in ClickHouse's form, which differs from `JSON.stringify` for some characters. Skips values
 * that are not valid JSON.
 */
const buildValuesSql = (prefix: string) =>
  `arrayFilter(text -> text != '', arrayMap(text -> JSONExtractRaw(text), {${prefix}values:Array(String)}))`;

/** Builds SQL that selects the granules of the table `steps` that can contain the attribute. */
function buildStepHint({ value }: AttributeFilter, prefix: string): string {
  return value === undefined
    ? ''
    : `indexHint(hasAny(${PAIRS_OF_STEPS}, arrayMap(text -> concat({${prefix}name:String}, ':', text), ${buildValuesSql(prefix)}))) AND `;
}

/**
 * Builds SQL that searches a column of JSON for the attribute. First searches for the pair's characters, as `JSON.stringify` writes them,
 * which costs a quarter of parsing JSON. Only rows with these characters are parsed.
 */
function buildColumnCondition(column: string, { value }: AttributeFilter, prefix: string): string {
  const near = `multiSearchAny(${column}, {${prefix}texts:Array(String)})`;
  return value === undefined
    ? `${near} AND JSONHas(${column}, {${prefix}name:String})`
    : `${near} AND has(${buildValuesSql(prefix)}, JSONExtractRaw(${column}, {${prefix}name:String}))`;
}

function buildParams({ name, value }: AttributeFilter, prefix: string): QueryParams {
  const quoted = JSON.stringify(name);
  if (value === undefined) {
    return {
      [`${prefix}name`]: name,
      [`${prefix}texts`]: [`${quoted}:`],
      [`${prefix}hashes`]: [hashOfName(name)],
    };
  }
  const values = [JSON.stringify(value), ...(PLAIN.test(value) ? [value] : [])];
  return {
    [`${prefix}name`]: name,
    [`${prefix}value`]: value,
    [`${prefix}values`]: values,
    [`${prefix}texts`]: values.map((text) => `${quoted}:${text}`),
    [`${prefix}hashes`]: values.map((text) => hashOfPair(name, text)),
  };
}

function buildAllParams(filters: readonly AttributeFilter[], prefix = 'a'): QueryParams {
  return Object.assign({}, ...filters.map((filter, index) => buildParams(filter, `${prefix}${index}_`)));
}

/** Builds conditions that search a column of JSON for at least one of the attributes. */
export function matchAnyInColumn(column: string, filters: readonly AttributeFilter[]): Conditions {
  const places = filters.map((filter, index) => `(${buildColumnCondition(column, filter, `a${index}_`)})`);
  return { sql: [`(${places.join(' OR ')})`], params: buildAllParams(filters) };
}

/** Builds SQL that checks if the trace's row lists the attribute, for the request or for one of its steps. */
function buildRowCondition({ value }: AttributeFilter, prefix: string): string {
  const column = value === undefined ? 'attribute_names' : 'attribute_pairs';
  // 64-bit parameters are passed as strings and converted here. ClickHouse still treats them as constants and uses the index.
  return `hasAny(${column}, arrayMap(text -> toUInt64(text), {${prefix}hashes:Array(String)}))`;
}

const NOT_WHOLE = 'NOT attributes_whole';

/**
 * Builds SQL that searches the JSON of those traces within `among` whose rows do not list all attributes. Returns an empty string if there
 * are no such traces.
 */
function buildTextsCondition(filter: AttributeFilter, prefix: string, among: Conditions, rest: Rest): string {
  if (rest.stepped + rest.spanned === 0) return '';
  const places = [`(${buildColumnCondition('attributes', filter, prefix)})`];
  if (rest.stepped > 0) {
    places.push(`id IN (SELECT trace FROM steps WHERE project_id IN {attributeProjects:Array(UUID)} AND trace_time_ms BETWEEN {attributeFirst:UInt64} AND {attributeLast:UInt64}
      AND ${buildStepHint(filter, prefix)}${buildColumnCondition('metadata', filter, prefix)})`);
  }
  if (rest.spanned > 0) {
    places.push(
      `(has_spans AND trace_id IN (SELECT trace_id FROM spans WHERE project_id IN {attributeProjects:Array(UUID)}
        AND trace_id IN (${selectSpanned(among, NOT_WHOLE)})
        AND ${buildColumnCondition('metadata', filter, prefix)}))`,
    );
  }
  return ` OR (${NOT_WHOLE} AND (${places.join(' OR ')}))`;
}

/**
 * Restricts a trace query to requests with the given attributes. Returns only the extra conditions; combine them with `among`. If the row
 * of a request made of spans does not list all attributes, the JSON of all spans of its distributed trace is searched; the request is then
 * found even if only another request of the trace has the attribute. `names` is a prefix of the parameters.
 */
export async function withAttributes(
  store: TraceStore,
  filters: readonly AttributeFilter[],
  projectIds: readonly string[],
  among: Conditions,
  names = 'a',
): Promise<Conditions> {
  if (filters.length === 0) return { sql: [], params: {} };
  const rest = await findRest(store, among, NOT_WHOLE);
  const sql = filters.map((filter, index) => {
    const prefix = `${names}${index}_`;
    return `(${buildRowCondition(filter, prefix)}${buildOwnColumnCondition(filter, prefix)}${buildTextsCondition(filter, prefix, among, rest)})`;
  });
  const where = { attributeProjects: projectIds, attributeFirst: rest.first_ms, attributeLast: rest.last_ms };
  return { sql, params: { ...where, ...buildAllParams(filters, names) } };
}

/** Restricts a trace query to requests without any of the attributes. Returns only the extra conditions, as {@link withAttributes} does. */
export async function withoutAttributes(
  store: TraceStore,
  filters: readonly AttributeFilter[],
  projectIds: readonly string[],
  among: Conditions,
): Promise<Conditions> {
  const { sql, params } = await withAttributes(store, filters, projectIds, among, 'without');
  return { sql: sql.map((having) => `NOT ${having}`), params };
}
