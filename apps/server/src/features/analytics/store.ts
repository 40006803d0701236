import { type AnalyticsExtent, formatInstant, type SeenReleases } from '@throughline/contract';
import { z } from 'zod';
import type { QueryParams, TraceStore } from '../../platform/trace-store/index.ts';
import {
  buildShown,
  ENDPOINT,
  ERROR_GROUP,
  FOLDED,
  MAX_MESSAGE_LENGTH,
  type Reading,
  type Shown,
} from '../rollups/index.ts';

const micros = z.string().transform(BigInt);
const count = z.coerce.number();

const START = 'toUnixTimestamp64Micro(start_time)';

/**
 * Builds the SQL between FROM and GROUP BY that selects the visible traces of a reading: the traces in its range that match its filters.
 */
export function selectShownTraces(
  project: Shown,
  reading: Reading,
): { readonly from: string; readonly params: QueryParams } {
  const { sql, params } = buildShown(project, reading);
  return { from: `traces FINAL WHERE project_id = {project:UUID} AND ${sql}`, params };
}

/** Counts requests by interval of the range and by duration band. */
export async function findHeatmap(
  store: TraceStore,
  project: Shown,
  reading: Reading & Required<Pick<Reading, 'parts'>>,
  bandsMicros: readonly number[],
) {
  const { from, params } = selectShownTraces(project, reading);
  return store.rows(
    z.object({ part: micros, band_micros: count, requests: count }),
    `SELECT toString(roundDown(${START}, {parts:Array(Int64)})) AS part,
       roundDown(toInt64(duration_micros), {bands:Array(Int64)}) AS band_micros, count() AS requests
     FROM ${from} GROUP BY part, band_micros ORDER BY toInt64(part), band_micros ${FOLDED}`,
    { ...params, parts: reading.parts.map(Number), bands: bandsMicros },
  );
}

const ErrorRow = z.object({
  kind: z.enum(['group', 'endpoint', 'status']),
  message: z.string(),
  method: z.string(),
  path: z.string(),
  status_code: z.number(),
  errors: count,
  first: micros,
  last: micros,
  example_id: z.string(),
  example_message: z.string(),
  endpoints: count,
  users: count,
  messages: count,
});
type ErrorRow = z.output<typeof ErrorRow>;
/** Errors with the same message. The example is the newest error. */
export type ErrorGroup = Omit<ErrorRow, 'kind' | 'method' | 'path' | 'status_code' | 'messages'>;

/**
 * Finds the `limit` most common errors, and all endpoints and statuses with failed requests. Each list begins with the entry that has the
 * most failed requests.
 */
export async function findErrors(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  limit: number,
): Promise<{
  readonly groups: readonly ErrorGroup[];
  readonly breakdown: readonly Pick<ErrorRow, 'method' | 'path' | 'errors' | 'messages'>[];
  readonly statuses: readonly Pick<ErrorRow, 'status_code' | 'errors'>[];
}> {
  const { from, params } = selectShownTraces(project, reading);
  // Reads the groups, endpoints and statuses in one query.
  const rows = await store.rows(
    ErrorRow,
    `SELECT multiIf(grouping(k_message) = 0, 'group', grouping(k_path) = 0, 'endpoint', 'status') AS kind,
       k_message AS message, k_method AS method, k_path AS path, k_status AS status_code, count() AS errors,
       toString(min(started)) AS first, toString(max(started)) AS last,
       argMax((id, error_message), (started, id)) AS example, toString(example.1) AS example_id,
       if(example.2 = '', k_message, substringUTF8(example.2, 1, ${MAX_MESSAGE_LENGTH})) AS example_message,
       uniqExact(k_method, k_path) AS endpoints, uniqExactIf(user_id, user_id != '') AS users, uniqExact(k_message) AS messages
     FROM (
       SELECT id, error_message, user_id, ${START} AS started, upper(method) AS k_method, ${ENDPOINT} AS k_path, ${ERROR_GROUP} AS k_message,
         status_code AS k_status
       FROM ${from} AND is_error)
     GROUP BY GROUPING SETS ((k_message), (k_method, k_path), (k_status))
     ORDER BY errors DESC, message, method, path, status_code LIMIT {limit:UInt32} BY kind, if(kind = 'group', '', concat(method, ' ', path, ' ', toString(status_code))) ${FOLDED}`,
    { ...params, limit },
  );
  const of = (kind: ErrorRow['kind']) => rows.filter((row) => row.kind === kind);
  return { groups: of('group'), breakdown: of('endpoint'), statuses: of('status') };
}

/** Lists the services, environments and releases that filters can select, at most 1,000 of each. */
export async function findFilterValues(store: TraceStore, project: Shown, reading: Reading) {
  const { from, params } = selectShownTraces(project, { from: reading.from, until: reading.until });
  const values = (column: string) =>
    `arraySort(groupUniqArrayIf(1000)(toString(${column}), ${column} != ''))`;
  const [row] = await store.rows(
    z.object({
      services: z.array(z.string()),
      environments: z.array(z.string()),
      releases: z.array(z.string()),
    }),
    `SELECT ${values('service')} AS services, ${values('environment')} AS environments, ${values('release')} AS releases
     FROM ${from} ${FOLDED}`,
    params,
  );
  return row ?? { services: [], environments: [], releases: [] };
}

/** Returns when the first and the last visible trace started; null if there are none. Reads only the two ends of the table's sort order. */
export async function findExtent(store: TraceStore, project: Shown): Promise<AnalyticsExtent> {
  const end = (order: 'ASC' | 'DESC') =>
    `SELECT toString(${START}) AS started FROM traces
     WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({from:Int64})
     ORDER BY start_time ${order} LIMIT 1`;
  const rows = await store.rows(
    z.object({ started: micros }),
    `SELECT started FROM (${end('ASC')}) UNION ALL SELECT started FROM (${end('DESC')})`,
    { project: project.id, from: String(project.shownSince) },
  );
  const started = rows.map((row) => row.started).sort((a, b) => Number(a - b));
  const [first] = started;
  const last = started.at(-1);
  return first === undefined || last === undefined
    ? null
    : { first: formatInstant(first), last: formatInstant(last) };
}

const MAX_SEEN_RELEASES = 50;

/** Finds the project's newest releases, each with the start of its first visible trace. */
export async function findReleases(store: TraceStore, project: Shown): Promise<SeenReleases> {
  const rows = await store.rows(
    z.object({ name: z.string(), first: micros }),
    `SELECT toString(release) AS name, toString(min(${START})) AS first FROM traces
     WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({from:Int64}) AND release != ''
     GROUP BY name ORDER BY min(${START}) DESC, name LIMIT ${MAX_SEEN_RELEASES}`,
    { project: project.id, from: String(project.shownSince) },
  );
  return rows.map(({ name, first }) => ({ release: name, firstSeen: formatInstant(first) }));
}
