import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import {
  buildShown,
  type Reading,
  type Shown,
  STEP_DEPENDENCY,
  selectAllEdges,
  selectEdges,
} from '../rollups/index.ts';

/**
 * Only the newest calls are examined: at most `MAX_CALLS_OF_PAIR` of each pair of services, and at most `MAX_CALLS` in total. If a service
 * responds at a host to which none of the examined calls went, the map shows this host as a dependency, in addition to the service.
 */
const MAX_CALLS_OF_PAIR = 100;
const MAX_CALLS = 1000;

/** The names of the project's services that respond at a host. {@link writePlace} builds the keys from the calling service and the host. */
export type AnsweredHosts = ReadonlyMap<string, ReadonlySet<string>>;

export function writePlace(service: string, host: string): string {
  return JSON.stringify([service, host]);
}

/**
 * Finds the hosts at which traced services respond. A traced service responded to a call if one of its requests has this call as its parent
 * span.
 */
export async function findAnsweredHosts(
  store: TraceStore,
  project: Shown,
  reading: Reading,
): Promise<AnsweredHosts> {
  const hosts = new Map<string, Set<string>>();
  const calls = await findCalls(store, project, reading);
  if (calls.length === 0) return hosts;
  const found = await store.rows(
    z.object({ host: z.string(), span: z.string() }),
    `SELECT DISTINCT ${STEP_DEPENDENCY} AS host, JSONExtractString(metadata, 'spanId') AS span FROM steps
     WHERE project_id = {project:UUID} AND type = 'http' AND span IN {parents:Array(String)} AND trace_time_ms IN (
       SELECT id_time_ms FROM traces WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)})
     UNION ALL SELECT DISTINCT ${STEP_DEPENDENCY}, span_id FROM spans
     WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)} AND span_id IN {parents:Array(String)} AND type = 'http'`,
    {
      project: project.id,
      parents: [...new Set(calls.map(({ parent }) => parent))],
      traces: [...new Set(calls.map(({ trace }) => trace))],
    },
  );
  const hostOf = new Map(found.map(({ host, span }) => [span, host]));
  for (const { source, target, parent } of calls) {
    const host = hostOf.get(parent);
    if (host === undefined) continue;
    const place = writePlace(source, host);
    hosts.set(place, (hosts.get(place) ?? new Set()).add(target));
  }
  return hosts;
}

const Call = z.object({ source: z.string(), target: z.string(), trace: z.string(), parent: z.string() });

/** Finds the newest requests that one service sent to another, up to the limits `MAX_CALLS_OF_PAIR` and `MAX_CALLS`. */
async function findCalls(store: TraceStore, project: Shown, reading: Reading) {
  const { from, sql, params } = buildShown(project, reading);
  const { until } = reading;
  if (until <= from) return [];
  const asked = await selectEdges(store, { projects: [project.id], from, until }, [sql]);
  return store.rows(
    Call,
    `SELECT source, target, trace, parent FROM (
       SELECT id, trace_id AS trace, parent_span_id AS parent FROM traces
       WHERE project_id = {project:UUID} AND ${sql} AND parent_span_id != '') AS requests
     INNER JOIN (SELECT request, source, toString(service) AS target FROM (${selectAllEdges(asked)}) WHERE ${sql}
       ORDER BY start_time DESC LIMIT ${MAX_CALLS_OF_PAIR} BY source, target LIMIT ${MAX_CALLS}) AS calls ON id = request`,
    { ...asked.params, ...params },
  );
}
