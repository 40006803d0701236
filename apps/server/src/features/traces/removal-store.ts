import { z } from 'zod';
import type { ProjectId } from '../../platform/ids.ts';
import {
  countRows,
  hashOfUser,
  type TraceStore,
  timeOfTraceId,
  USER_HASH,
} from '../../platform/trace-store/index.ts';
import { countSpans, type SpanKey } from '../spans/index.ts';
import { keyOf, OF_TRACE } from './single-trace-store.ts';

/** Its row goes first: without it nothing else is seen. */
export async function deleteTrace(
  store: TraceStore,
  trace: { readonly id: string; readonly project_id: string },
): Promise<void> {
  await store.command(
    'DELETE FROM traces WHERE project_id = {project:UUID} AND id_time_ms = {time:UInt64} AND id = {trace:UUID}',
    keyOf(trace),
  );
  await store.command(`DELETE FROM steps WHERE ${OF_TRACE}`, keyOf(trace));
}

/** What senders were answered stays, so that a repeat of an answered batch does not bring its traces back. */
export async function deleteTracesOf(store: TraceStore, project: ProjectId): Promise<void> {
  for (const table of ['traces', 'steps', 'spans']) {
    await store.command(`DELETE FROM ${table} WHERE project_id = {project:UUID}`, { project });
  }
}

/** The trace rows go first: without them nothing else is seen. */
export async function deleteProject(store: TraceStore, project: ProjectId): Promise<void> {
  for (const table of ['traces', 'steps', 'spans', 'ingest_batches']) {
    await store.command(`DELETE FROM ${table} WHERE project_id = {project:UUID}`, { project });
  }
}

const UserTrace = z.object({
  id: z.string(),
  project_id: z.string(),
  trace_id: z.string(),
  span_id: z.string(),
  has_spans: z.boolean(),
  start_ms: z.coerce.number(),
});
/** A trace of somebody who used the traced service. */
type UserTrace = z.output<typeof UserTrace>;

const OF_USER = 'project_id = {project:UUID} AND user_id = {user:String}';

/** All traces of a user of the traced service, expired ones too. */
export async function findUserTraces(
  store: TraceStore,
  project: ProjectId,
  user: string,
): Promise<UserTrace[]> {
  return store.rows(
    UserTrace,
    `SELECT id, project_id, trace_id, span_id, has_spans, toUnixTimestamp64Milli(start_time) AS start_ms
     FROM traces WHERE project_id = {project:UUID} AND user_id = {user:String}`,
    { project, user },
  );
}

/** The engine wants to know that the list is meant: it may differ from one replica to the next. */
const LISTED = 'SETTINGS allow_nondeterministic_mutations = 1';

/**
 * Deletes a user's traces and their steps, these first: of what is cut off in between, the rest is found again. The engine keeps the texts of such
 * statements, so they say whose traces by a hash.
 */
export async function deleteUserTraces(store: TraceStore, project: ProjectId, user: string): Promise<void> {
  const params = { project, userHash: hashOfUser(user) };
  await store.command(
    `DELETE FROM steps WHERE project_id = {project:UUID}
       AND (trace_time_ms, trace) IN (SELECT id_time_ms, id FROM traces WHERE project_id = {project:UUID} AND ${USER_HASH} = {userHash:String}) ${LISTED}`,
    params,
  );
  await store.command(
    `DELETE FROM traces WHERE project_id = {project:UUID} AND ${USER_HASH} = {userHash:String}`,
    params,
  );
}

/** Ids in one statement: it may be 256 kB long. */
const MAX_IDS = 2000;

/** Rows that are stored of these traces; of spans, those that are given. */
export async function countTraceRows(
  store: TraceStore,
  project: ProjectId,
  ids: readonly string[],
  spans: readonly SpanKey[],
): Promise<{ readonly traces: number; readonly steps: number; readonly spans: number }> {
  const rowsOfIds = async (sql: string) => {
    let total = 0;
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      const some = ids.slice(from, from + MAX_IDS);
      total += await countRows(store, sql, { project, times: some.map(timeOfTraceId), ids: some });
    }
    return total;
  };
  return {
    traces: await rowsOfIds(
      `SELECT count() AS rows FROM traces WHERE project_id = {project:UUID}
         AND id_time_ms IN {times:Array(UInt64)} AND id IN {ids:Array(UUID)}`,
    ),
    steps: await rowsOfIds(
      `SELECT count() AS rows FROM steps WHERE project_id = {project:UUID}
         AND trace_time_ms IN {times:Array(UInt64)} AND trace IN {ids:Array(UUID)}`,
    ),
    spans: await countSpans(store, project, spans),
  };
}

/** Traces of a user, and hours of the user's own figures. */
export async function countOfUser(
  store: TraceStore,
  project: ProjectId,
  user: string,
): Promise<{ readonly traces: number; readonly figures: number }> {
  const params = { project, user };
  return {
    traces: await countRows(store, `SELECT count() AS rows FROM traces WHERE ${OF_USER}`, params),
    figures: await countRows(store, `SELECT count() AS rows FROM user_rollups WHERE ${OF_USER}`, params),
  };
}
