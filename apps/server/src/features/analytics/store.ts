import { z } from 'zod';
import type { QueryParams, TraceStore } from '../../platform/trace-store/index.ts';
import { ENDPOINT, ERROR_GROUP, LONGEST_MESSAGE, type Reading, type Shown } from '../rollups/index.ts';

const micros = z.string().transform(BigInt);
const count = z.coerce.number();

/** A trace that two servers stored at the same moment is counted once: both are in one partition, the day of storing. */
export const FOLDED = 'SETTINGS do_not_merge_across_partitions_select_final = 1';
const START = 'toUnixTimestamp64Micro(start_time)';

/** What stands between FROM and GROUP BY for the traces of a reading that are shown. */
export function tracesOf(
  project: Shown,
  reading: Reading,
): { readonly from: string; readonly params: QueryParams } {
  const filters = (['service', 'environment', 'release'] as const).flatMap((name) => {
    const value = reading[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  let since = reading.from;
  if (since < project.shownSince) since = project.shownSince;
  return {
    from: `traces FINAL WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({from:Int64})
      AND start_time < fromUnixTimestamp64Micro({until:Int64})${filters.map(([name]) => ` AND ${name} = {${name}:String}`).join('')}`,
    params: {
      project: project.id,
      from: String(since),
      until: String(reading.until),
      ...Object.fromEntries(filters),
    },
  };
}

/** How many requests of each part took as long as each band. */
export async function findHeatmap(
  store: TraceStore,
  project: Shown,
  reading: Reading & Required<Pick<Reading, 'parts'>>,
  bandsMicros: readonly number[],
) {
  const { from, params } = tracesOf(project, reading);
  return store.rows(
    z.object({ part: micros, band_micros: count, requests: count }),
    `SELECT toString(roundDown(${START}, {parts:Array(Int64)})) AS part,
       roundDown(toInt64(duration_micros), {bands:Array(Int64)}) AS band_micros, count() AS requests
     FROM ${from} GROUP BY part, band_micros ORDER BY toInt64(part), band_micros ${FOLDED}`,
    { ...params, parts: reading.parts.map(Number), bands: bandsMicros },
  );
}

const ErrorGroup = z.object({
  message: z.string(),
  errors: count,
  first: micros,
  last: micros,
  example_id: z.string(),
  example_message: z.string(),
  endpoints: count,
  users: count,
});
export type ErrorGroup = z.output<typeof ErrorGroup>;

/** Errors by what they say, the most common first; the example is the newest. */
export async function findErrorGroups(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  limit: number,
): Promise<ErrorGroup[]> {
  const { from, params } = tracesOf(project, reading);
  return store.rows(
    ErrorGroup,
    `SELECT ${ERROR_GROUP} AS message, count() AS errors, toString(min(${START})) AS first, toString(max(${START})) AS last,
       argMax((id, error_message), (start_time, id)) AS example, toString(example.1) AS example_id,
       if(example.2 = '', message, substringUTF8(example.2, 1, ${LONGEST_MESSAGE})) AS example_message,
       uniqExact(upper(method), ${ENDPOINT}) AS endpoints, uniqExactIf(user_id, user_id != '') AS users
     FROM ${from} AND is_error GROUP BY message ORDER BY errors DESC, message LIMIT {limit:UInt32} ${FOLDED}`,
    { ...params, limit },
  );
}

/** Endpoints that failed, those with most errors first. */
export async function findErrorEndpoints(store: TraceStore, project: Shown, reading: Reading) {
  const { from, params } = tracesOf(project, reading);
  return store.rows(
    z.object({ method: z.string(), path: z.string(), errors: count, messages: count }),
    `SELECT k_method AS method, k_path AS path, count() AS errors, uniqExact(k_message) AS messages FROM (
       SELECT upper(method) AS k_method, ${ENDPOINT} AS k_path, ${ERROR_GROUP} AS k_message FROM ${from} AND is_error)
     GROUP BY method, path ORDER BY errors DESC, method, path ${FOLDED}`,
    params,
  );
}

/** Of failed requests. */
export async function findErrorStatuses(store: TraceStore, project: Shown, reading: Reading) {
  const { from, params } = tracesOf(project, reading);
  return store.rows(
    z.object({ status_code: z.number(), errors: count }),
    `SELECT status_code, count() AS errors FROM ${from} AND is_error
     GROUP BY status_code ORDER BY errors DESC, status_code ${FOLDED}`,
    params,
  );
}

/** What there is to filter by. */
export async function findFilterValues(store: TraceStore, project: Shown, reading: Reading) {
  const { from, params } = tracesOf(project, { from: reading.from, until: reading.until });
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
