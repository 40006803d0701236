import { z } from 'zod';
import type { VisibleProject } from '../../../../platform/http/guard.ts';
import { type TraceStore, timeOfTraceId } from '../../../../platform/trace-store/index.ts';
import { selectSameEndpoint, selectSimilarPaths, type TraceEndpoint } from '../../usual/usual-store.ts';

/** Maximum number of successful requests that are considered, nearest in release and time. */
const MAX_CANDIDATES = 40;
/** Maximum number of the endpoint's releases that are considered, the newest first. */
const MAX_RELEASES = 100;
/** Maximum size in bytes of a query or body that is compared. A larger one is treated as not captured. */
const MAX_INPUT = 8_000;

const CandidateRow = z.object({
  id: z.string(),
  path: z.string(),
  release: z.string(),
  start_micros: z.string().transform(BigInt),
  step_count: z.coerce.number(),
  query: z.string(),
  body: z.string(),
});
/** A successful request to the same endpoint, or to a path that differs in one segment. */
export type Candidate = z.output<typeof CandidateRow> & { readonly similarPath: boolean };

/**
 * Finds an endpoint's successful requests that took at most `maxMicros`: requests of `release` first, then of the release before, then the
 * nearest in time. `within` restricts the requests to one release. With `similarPaths`, finds requests to paths that differ in one segment
 * instead.
 */
export async function findCandidates(
  store: TraceStore,
  project: VisibleProject,
  endpoint: TraceEndpoint,
  {
    release,
    before,
    maxMicros,
    within,
    similarPaths = false,
  }: {
    readonly release: string;
    /** The release before `release`; undefined if unknown. */
    readonly before?: string | undefined;
    readonly maxMicros: number;
    readonly within?: string;
    readonly similarPaths?: boolean;
  },
): Promise<Candidate[]> {
  const select = similarPaths ? selectSimilarPaths : selectSameEndpoint;
  const { sql: sameOrSimilar, params, settings } = select(project, endpoint);
  const inRelease = within === undefined ? '' : 'AND release = {within:String}';
  const input = (column: string) => `if(length(${column}) > ${MAX_INPUT}, '', ${column})`;
  const rows = await store.rows(
    CandidateRow,
    `SELECT id, path, release, toString(toUnixTimestamp64Micro(start_time)) AS start_micros, step_count,
       ${input('request_query')} AS query, ${input('request_body')} AS body
     FROM traces WHERE ${sameOrSimilar} AND duration_micros <= {maxMicros:UInt64} ${inRelease}
     ORDER BY release = {release:String} DESC, release = {before:String} DESC, abs(toUnixTimestamp64Micro(start_time) - {start:Int64}), id
     LIMIT ${MAX_CANDIDATES} ${settings}`,
    {
      ...params,
      ...{ release, maxMicros: String(maxMicros), start: String(endpoint.start_micros) },
      before: before ?? release,
      ...(within !== undefined && { within }),
    },
  );
  return rows.map((row) => ({ ...row, similarPath: similarPaths }));
}

/**
 * Finds the release before `release`. Releases are ordered by their first success at the endpoint; undefined if there is no earlier
 * release.
 */
export async function findReleaseBefore(
  store: TraceStore,
  project: VisibleProject,
  endpoint: TraceEndpoint,
  release: string,
): Promise<string | undefined> {
  const { sql: sameEndpoint, params, settings } = selectSameEndpoint(project, endpoint);
  const releases = await store.rows(
    z.object({ name: z.string(), first: z.string().transform(BigInt) }),
    `SELECT toString(release) AS name, toString(toUnixTimestamp64Micro(min(start_time))) AS first FROM traces
     WHERE ${sameEndpoint} AND release != '' GROUP BY name ORDER BY min(start_time) DESC LIMIT ${MAX_RELEASES} ${settings}`,
    params,
  );
  // The inspected request can be older than all successes of its own release.
  const own = releases.find(({ name }) => name === release)?.first ?? endpoint.start_micros;
  return releases.find(({ name, first }) => name !== release && first < own && first < endpoint.start_micros)
    ?.name;
}

/** Counts how many of the functions, given by name, ran in each request. A request in which none of them ran is not in the map. */
export async function countCommonFunctions(
  store: TraceStore,
  project: VisibleProject,
  requests: readonly string[],
  functions: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (requests.length === 0 || functions.length === 0) return new Map();
  const rows = await store.rows(
    z.object({ id: z.string(), ran: z.coerce.number() }),
    `SELECT toString(trace) AS id, uniqExact(function_name) AS ran FROM steps
     WHERE project_id = {project:UUID} AND trace_time_ms IN {times:Array(UInt64)} AND trace IN {requests:Array(UUID)}
       AND function_name IN {functions:Array(String)} GROUP BY trace`,
    { project: project.id, times: requests.map(timeOfTraceId), requests, functions },
  );
  return new Map(rows.map(({ id, ran }) => [id, ran]));
}
