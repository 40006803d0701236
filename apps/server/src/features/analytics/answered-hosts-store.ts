import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import {
  buildShown,
  clampHour,
  HOURS_APART,
  hourToSeconds,
  type Reading,
  type Shown,
  STEP_DEPENDENCY,
  selectAllEdges,
  selectEdges,
  selectHours,
  toHourFromMicros,
} from '../rollups/index.ts';

/**
 * Only the newest calls are examined: at most `MAX_CALLS_OF_PAIR` of each pair of services, and at most `MAX_CALLS` in total. If a service
 * responds at a host to which none of the examined calls went, the map shows this host as a dependency, in addition to the service.
 */
const MAX_CALLS_OF_PAIR = 100;
const MAX_CALLS = 1000;

/** The hosts at which traced services respond. */
export interface AnsweredHosts {
  /** The names of the services that respond at a host. {@link writePlace} builds the keys from the calling service and the host. */
  readonly services: ReadonlyMap<string, ReadonlySet<string>>;
  /** Number of calls that were examined. */
  readonly calls: number;
}

export function writePlace(service: string, host: string): string {
  return JSON.stringify([service, host]);
}

/**
 * Finds the hosts at which traced services respond. A traced service responded to a call if a request to the service has the call as its
 * parent span.
 */
export async function findAnsweredHosts(
  store: TraceStore,
  project: Shown,
  reading: Reading,
): Promise<AnsweredHosts> {
  const services = new Map<string, Set<string>>();
  const calls = await findCalls(store, project, reading);
  if (calls.length === 0) return { services, calls: 0 };
  const parents = await findParents(store, project, calls);
  const all = calls.flatMap(({ request }) => parents.get(request) ?? []);
  const traces = [...new Set(all.map(({ trace }) => trace))];
  const callers = await findCallers(store, project, calls, traces);
  const found = await store.rows(
    z.object({ host: z.string(), span: z.string() }),
    `SELECT DISTINCT ${STEP_DEPENDENCY} AS host, JSONExtractString(metadata, 'spanId') AS span FROM steps
     WHERE project_id = {project:UUID} AND toDate(stored_at) IN {days:Array(Date)} AND trace_time_ms IN {times:Array(UInt64)}
       AND type = 'http' AND span IN {parents:Array(String)}
     UNION ALL SELECT DISTINCT ${STEP_DEPENDENCY}, span_id FROM spans
     WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)} AND span_id IN {parents:Array(String)} AND type = 'http'`,
    {
      project: project.id,
      parents: [...new Set(all.map(({ parent }) => parent))],
      traces,
      days: callers.map(({ day }) => day),
      times: callers.flatMap(({ times }) => times),
    },
  );
  const hostOf = new Map(found.map(({ host, span }) => [span, host]));
  for (const { request, source, target } of calls) {
    const host = hostOf.get(parents.get(request)?.parent ?? '');
    if (host === undefined) continue;
    const place = writePlace(source, host);
    services.set(place, (services.get(place) ?? new Set()).add(target));
  }
  return { services, calls: calls.length };
}

/** A request that one service sent to another. `started` is in epoch microseconds. */
const Call = z.object({
  request: z.string(),
  source: z.string(),
  target: z.string(),
  started: z.coerce.number(),
});
type Call = z.output<typeof Call>;

/** Finds the newest requests that one service sent to another, up to the limits `MAX_CALLS_OF_PAIR` and `MAX_CALLS`. */
async function findCalls(store: TraceStore, project: Shown, reading: Reading): Promise<Call[]> {
  const { from, sql, params } = buildShown(project, reading);
  const { until } = reading;
  if (until <= from) return [];
  const asked = await selectEdges(store, { projects: [project.id], from, until }, [sql]);
  return store.rows(
    Call,
    `SELECT toString(request) AS request, source, toString(service) AS target, toString(toUnixTimestamp64Micro(start_time)) AS started
     FROM (${selectAllEdges(asked)}) WHERE ${sql}
     ORDER BY start_time DESC LIMIT ${MAX_CALLS_OF_PAIR} BY source, target LIMIT ${MAX_CALLS}`,
    { ...asked.params, ...params },
  );
}

const IN_HOURS = `toStartOfHour(start_time) IN ${selectHours('hours')}`;

/** Returns the first second of each hour in which a call began, and of the `around` hours before and after. */
function listHours(calls: readonly Call[], around: number): number[] {
  const hours = calls.flatMap(({ started }) => {
    const hour = toHourFromMicros(BigInt(started));
    return Array.from({ length: 2 * around + 1 }, (_, at) => hourToSeconds(clampHour(hour + at - around)));
  });
  return [...new Set(hours)];
}

const Parent = z.object({ request: z.string(), trace: z.string(), parent: z.string() });

/** Finds the trace id and the parent span of the request to which each call led. */
async function findParents(store: TraceStore, project: Shown, calls: readonly Call[]) {
  const rows = await store.rows(
    Parent,
    // With the condition on hours, ClickHouse reads only the few parts of the table that contain the requests.
    `SELECT toString(id) AS request, trace_id AS trace, parent_span_id AS parent FROM traces
     WHERE project_id = {project:UUID} AND ${IN_HOURS} AND start_time IN arrayMap(started -> fromUnixTimestamp64Micro(started), {starts:Array(Int64)})
       AND parent_span_id != ''`,
    {
      project: project.id,
      starts: [...new Set(calls.map(({ started }) => started))],
      hours: listHours(calls, 0),
    },
  );
  return new Map(rows.map((row) => [row.request, row]));
}

/**
 * Finds the days on which the requests of the given traces were stored, and the times in the requests' ids. With both, the query for steps
 * reads only the few parts of the table that contain the requests' steps.
 */
async function findCallers(
  store: TraceStore,
  project: Shown,
  calls: readonly Call[],
  traces: readonly string[],
) {
  return store.rows(
    z.object({ day: z.string(), times: z.array(z.coerce.number()) }),
    `SELECT toString(toDate(stored_at)) AS day, groupUniqArray(id_time_ms) AS times FROM traces
     WHERE project_id = {project:UUID} AND ${IN_HOURS} AND trace_id IN {traces:Array(String)} GROUP BY day`,
    { project: project.id, hours: listHours(calls, HOURS_APART), traces },
  );
}
