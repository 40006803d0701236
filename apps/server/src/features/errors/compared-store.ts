import { z } from 'zod';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { QueryParams, TraceStore } from '../../platform/trace-store/index.ts';
import { ENDPOINT } from '../rollups/index.ts';
import type { Compared } from '../traces/index.ts';
import { buildParams, type Range, SHOWN } from './errors-store.ts';
import { type ErrorSql, MAX_CHARACTERS } from './grouping/grouping-store.ts';

/**
 * Maximum number of endpoints that a condition lists. If an error has more endpoints, or if their names are too long in total, the
 * condition is a subquery instead.
 */
const MAX_ENDPOINTS = 50;

const EndpointRow = z.object({
  service_name: z.string(),
  method_name: z.string(),
  endpoint_name: z.string(),
  failed: z.coerce.number(),
  succeeded: z.coerce.number(),
});
type EndpointRow = z.output<typeof EndpointRow>;

export type Conditions = Compared['all'];

/** The requests with an error and, for comparison, the successful requests to the same endpoints of the same services. */
export interface ComparedRequests extends Compared {
  readonly successful: Conditions;
}

/** Selects the requests in a range that meet all conditions. */
export function selectRequests(
  project: ShownProject,
  range: Range,
  ...conditions: readonly ErrorSql[]
): Conditions {
  return {
    sql: [`project_id = {project:UUID} AND ${SHOWN}`, ...conditions.map(({ sql }) => sql)],
    params: Object.assign(buildParams(project, range), ...conditions.map(({ params }) => params)),
  };
}

/**
 * Finds the endpoints of an error, and selects the requests with the error and the successful requests to these endpoints. With `counted`,
 * also counts these requests.
 */
export async function findCompared(
  store: TraceStore,
  project: ShownProject,
  range: Range,
  of: ErrorSql,
  { counted }: { readonly counted: boolean },
): Promise<ComparedRequests> {
  const outcome: ErrorSql = { sql: `(NOT is_error OR (${of.sql}))`, params: of.params };
  const all = selectRequests(project, range, counted ? outcome : of);
  const rows = await store.rows(
    EndpointRow,
    `SELECT toString(service) AS service_name, toString(method) AS method_name, toString(${ENDPOINT}) AS endpoint_name,
       countIf(is_error) AS failed, countIf(NOT is_error) AS succeeded
     FROM traces WHERE ${all.sql.join(' AND ')}
     GROUP BY service, method, ${ENDPOINT} HAVING failed > 0 LIMIT ${MAX_ENDPOINTS + 1}`,
    all.params,
  );
  const named = selectEndpoints(rows);
  const at = named ?? {
    sql: `(service, method, ${ENDPOINT}) IN (SELECT service, method, ${ENDPOINT} FROM traces WHERE project_id = {project:UUID} AND ${SHOWN} AND ${of.sql})`,
    params: of.params,
  };
  return {
    // This condition is enough, because all failed requests among the compared requests have the error.
    matching: { sql: ['is_error'], params: {} },
    all: selectRequests(project, range, outcome, at),
    successful: selectRequests(project, range, { sql: 'NOT is_error', params: {} }, at),
    ...(counted && named !== undefined && { totals: sumUp(rows) }),
  };
}

function sumUp(rows: readonly EndpointRow[]): NonNullable<Compared['totals']> {
  return {
    matching: rows.reduce((sum, { failed }) => sum + failed, 0),
    others: rows.reduce((sum, { succeeded }) => sum + succeeded, 0),
  };
}

/** Builds a condition for requests to these endpoints. Comparing single columns takes half the time of comparing tuples. */
function selectEndpoints(rows: readonly EndpointRow[]): ErrorSql | undefined {
  const characters = rows.reduce(
    (sum, row) => sum + [row.service_name, row.method_name, row.endpoint_name].join('').length,
    0,
  );
  if (rows.length > MAX_ENDPOINTS || characters > MAX_CHARACTERS) return undefined;
  const groups = [
    ...Map.groupBy(rows, ({ service_name, method_name }) =>
      JSON.stringify([service_name, method_name]),
    ).values(),
  ];
  const alternatives = groups.map(
    (_, index) =>
      `(service = {atService${index}:String} AND method = {atMethod${index}:String} AND ${ENDPOINT} IN {atEndpoints${index}:Array(String)})`,
  );
  const params: QueryParams = Object.fromEntries(
    groups.flatMap((endpoints, index) => [
      [`atService${index}`, endpoints[0]?.service_name ?? ''],
      [`atMethod${index}`, endpoints[0]?.method_name ?? ''],
      [`atEndpoints${index}`, endpoints.map(({ endpoint_name }) => endpoint_name)],
    ]),
  );
  return { sql: `(${['false', ...alternatives].join(' OR ')})`, params };
}
