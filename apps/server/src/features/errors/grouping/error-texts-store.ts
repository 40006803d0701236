import { z } from 'zod';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { QueryParams, TraceStore } from '../../../platform/trace-store/index.ts';
import { buildErrorId, ERROR_GROUP } from '../../rollups/index.ts';
import type { ErrorGrouping } from './error-grouping.ts';
import { type ErrorSql, MAX_CHARACTERS, selectErrors } from './grouping-store.ts';

const TextRow = z.object({ error_id: z.string(), service_name: z.string(), message: z.string() });
type TextRow = z.output<typeof TextRow>;

/**
 * Finds a condition for the failed requests of the given errors before `until`, without the requests of errors that were merged into them.
 * Reads the services and messages of the errors, because comparing these texts takes a third of the time that it takes to compute the error
 * id of each failed request. The condition compares ids if an error was split by function, or if the texts are long.
 */
export async function findErrorCondition(
  store: TraceStore,
  { id: project, shownSince }: ShownProject,
  until: bigint,
  grouping: ErrorGrouping,
  errorIds: readonly string[],
): Promise<ErrorSql> {
  // The id is computed from `any` values, so ClickHouse computes it once per group. From the keys of the GROUP BY, ClickHouse would compute
  // it for each request.
  const rows = await store.rows(
    TextRow,
    `SELECT toString(any(service)) AS service_name, toString(any(${ERROR_GROUP})) AS message, ${buildErrorId('service_name', 'message')} AS error_id
     FROM traces WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({since:Int64})
       AND start_time < fromUnixTimestamp64Micro({until:Int64}) AND is_error
     GROUP BY service, ${ERROR_GROUP} HAVING error_id IN {errorIds:Array(String)}`,
    { project, since: String(shownSince), until: String(until), errorIds },
  );
  const characters = rows.reduce(
    (sum, { service_name, message }) => sum + service_name.length + message.length,
    0,
  );
  return isByMessage(grouping, errorIds, rows) && characters <= MAX_CHARACTERS
    ? selectTexts(rows)
    : selectErrors(grouping, errorIds);
}

/**
 * True if each error contains all failed requests of its service with its message. In a project with splits, an id that belongs to no
 * message can be the id of one function's error.
 */
function isByMessage(
  { splits }: ErrorGrouping,
  errorIds: readonly string[],
  rows: readonly TextRow[],
): boolean {
  if (splits.size === 0) return true;
  const found = new Set(rows.map(({ error_id }) => error_id));
  return errorIds.every((id) => found.has(id) && !splits.has(id));
}

function selectTexts(rows: readonly TextRow[]): ErrorSql {
  const services = [...Map.groupBy(rows, ({ service_name }) => service_name)];
  const alternatives = services.map(
    (_, index) =>
      `(service = {errorService${index}:String} AND ${ERROR_GROUP} IN {errorMessages${index}:Array(String)})`,
  );
  const params: QueryParams = Object.fromEntries(
    services.flatMap(([service, texts], index) => [
      [`errorService${index}`, service],
      [`errorMessages${index}`, texts.map(({ message }) => message)],
    ]),
  );
  return { sql: `is_error AND (${['false', ...alternatives].join(' OR ')})`, params };
}
