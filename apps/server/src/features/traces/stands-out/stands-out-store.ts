import { z } from 'zod';
import type { VisibleProject } from '../../../platform/http/guard.ts';
import type { ProjectId } from '../../../platform/ids.ts';
import type { QueryParams, TraceStore } from '../../../platform/trace-store/index.ts';
import { ERROR_PLACE } from '../../rollups/index.ts';
import { selectProjects } from '../list/conditions.ts';
import type { StoredTrace } from '../store.ts';

/** Number of days before a failed request in which its error is searched for. */
export const ERROR_DAYS = 7;
const DAY_MICROS = 86_400_000_000n;
/** Maximum number of rows that the query reads, in about 20 ms. In a larger project, the query ignores further rows. */
const MAX_ROWS = 1_000_000;

const HistoryRow = z.object({
  requests: z.coerce.number(),
  users: z.coerce.number(),
  first_release: z.string(),
  releases: z.coerce.number(),
});

/** How the failed requests of a project are grouped into errors, as on the Errors page. */
export interface KnownErrors {
  /** SQL for the id of the error that a failed request belongs to, with its parameters. */
  readonly id: string;
  readonly params: QueryParams;
  /** The ids of the errors into which users merged other errors. */
  readonly mergedIds: readonly string[];
}

export type FindKnownErrors = (project: ProjectId) => Promise<KnownErrors>;

/** How often an error occurred up to and including a request. */
export interface ErrorHistory {
  readonly requests: number;
  readonly users: number;
  /** Release of the first request with the error; empty if that request has none. */
  readonly firstRelease: string;
  /** Number of releases of all requests that were searched, failed or not. */
  readonly releases: number;
}

/**
 * Finds how often the error of a failed request has occurred in the request's service and environment, in the `ERROR_DAYS` days up to the
 * request. If several functions throw the message, and users did not merge their errors, only two groups of requests count: requests that
 * failed in the same function, and requests whose function is unknown.
 */
export async function findErrorHistory(
  store: TraceStore,
  project: VisibleProject,
  trace: StoredTrace,
  known: KnownErrors,
): Promise<ErrorHistory> {
  const { sql, params } = selectProjects([project]);
  const range = `start_time >= fromUnixTimestamp64Micro({from:Int64}) AND start_time <= fromUnixTimestamp64Micro({until:Int64})`;
  const until = trace.start_micros;
  const [row] = await store.rows(
    HistoryRow,
    `WITH (SELECT any((${known.id}, toString(${ERROR_PLACE}))) FROM traces WHERE ${sql.join(' AND ')} AND id = {id:UUID} AND ${range}) AS own,
       is_error AND (own.2 = '' OR ${ERROR_PLACE} IN ('', own.2) OR own.1 IN {mergedIds:Array(String)}) AND ${known.id} = own.1 AS same
     SELECT countIf(same) AS requests, uniqIf(user_id, same AND user_id != '') AS users,
       argMinIf(release, start_time, same) AS first_release, uniqIf(release, release != '') AS releases
     FROM traces WHERE ${sql.join(' AND ')} AND ${range} AND service = {service:String} AND environment = {environment:String}
     SETTINGS max_rows_to_read = ${MAX_ROWS}, read_overflow_mode = 'break'`,
    {
      ...params,
      ...known.params,
      mergedIds: known.mergedIds,
      id: trace.id,
      from: String(until - BigInt(ERROR_DAYS) * DAY_MICROS),
      until: String(until),
      service: trace.service,
      environment: trace.environment,
    },
  );
  return {
    requests: row?.requests ?? 0,
    users: row?.users ?? 0,
    firstRelease: row?.first_release ?? '',
    releases: row?.releases ?? 0,
  };
}
