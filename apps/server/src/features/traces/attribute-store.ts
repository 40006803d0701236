import type { QueryParams } from '../../platform/trace-store/index.ts';
import type { AttributeFilter } from './attributes.ts';
import type { Conditions } from './conditions.ts';

/** What a value may look like in JSON text where it is not a string. */
const PLAIN = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Attributes of a request that have a column of their own, by the names that OpenTelemetry has given them. */
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
  'user.id': 'user_id',
  'enduser.id': 'user_id',
  'session.id': 'session_id',
};

function inOwnColumn({ name, value }: AttributeFilter, prefix: string): string {
  const column = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined;
  if (column === undefined) return '';
  return value === undefined ? ` OR ${column} != ''` : ` OR ${column} = {${prefix}value:String}`;
}

/** What the skip indexes `by_attribute` are made of, letter for letter: the engine compares the expressions. */
const pairsIn = (column: string) =>
  `arrayMap(pair -> concat(pair.1, ':', pair.2), JSONExtractKeysAndValuesRaw(${column}))`;

/**
 * Whether the JSON text in a column has the attribute, as SQL. The index names the granules that may have it; there, looking for the pair's
 * characters costs a fourth of reading JSON, since texts are stored as `JSON.stringify` writes them; what is left is read.
 */
function inColumn(column: string, { value }: AttributeFilter, prefix: string): string {
  const near = `multiSearchAny(${column}, {${prefix}texts:Array(String)})`;
  if (value === undefined) return `${near} AND JSONHas(${column}, {${prefix}name:String})`;
  return `indexHint(hasAny(${pairsIn(column)}, {${prefix}pairs:Array(String)})) AND ${near}
    AND has({${prefix}values:Array(String)}, JSONExtractRaw(${column}, {${prefix}name:String}))`;
}

function paramsOf({ name, value }: AttributeFilter, prefix: string): QueryParams {
  const quoted = JSON.stringify(name);
  if (value === undefined) return { [`${prefix}name`]: name, [`${prefix}texts`]: [`${quoted}:`] };
  const values = [JSON.stringify(value), ...(PLAIN.test(value) ? [value] : [])];
  return {
    [`${prefix}name`]: name,
    [`${prefix}value`]: value,
    [`${prefix}values`]: values,
    [`${prefix}texts`]: values.map((text) => `${quoted}:${text}`),
    [`${prefix}pairs`]: values.map((text) => `${name}:${text}`),
  };
}

/**
 * Traces that have the attributes, among `projects`, the condition that binds a query to what its caller may see. Of spans that the steps of
 * several requests are made of, each request of the distributed trace is found.
 */
export function withAttributes(
  filters: readonly AttributeFilter[],
  projectIds: readonly string[],
): Conditions {
  if (filters.length === 0) return { sql: [], params: {} };
  const sql = filters.map((filter, index) => {
    const prefix = `a${index}_`;
    const ofStep = inColumn('metadata', filter, prefix);
    return `((${inColumn('attributes', filter, prefix)})${inOwnColumn(filter, prefix)}
      OR id IN (SELECT trace FROM steps WHERE project_id IN {attributeProjects:Array(UUID)} AND ${ofStep})
      OR (has_spans AND trace_id IN (
        SELECT trace_id FROM spans WHERE project_id IN {attributeProjects:Array(UUID)} AND ${ofStep})))`;
  });
  const params: { [name: string]: QueryParams[string] } = { attributeProjects: projectIds };
  for (const [index, filter] of filters.entries()) Object.assign(params, paramsOf(filter, `a${index}_`));
  return { sql, params };
}
