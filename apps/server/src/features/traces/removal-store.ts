import { z } from 'zod';
import type { ProjectId } from '../../platform/ids.ts';
import {
  countRows,
  hashOfUser,
  type TraceStore,
  timeOfTraceId,
  USER_HASH,
  USER_ID_NAMES,
} from '../../platform/trace-store/index.ts';
import { countSpans, type SpanKey } from '../spans/index.ts';
import { oneInColumn, withAttributes } from './attribute-store.ts';
import { buildKeyParams, OF_TRACE } from './single-trace-store.ts';

/** Its row goes first: without it nothing else is seen. */
export async function deleteTrace(
  store: TraceStore,
  trace: { readonly id: string; readonly project_id: string },
): Promise<void> {
  await store.command(
    'DELETE FROM traces WHERE project_id = {project:UUID} AND id_time_ms = {time:UInt64} AND id = {trace:UUID}',
    buildKeyParams(trace),
  );
  await store.command(`DELETE FROM steps WHERE ${OF_TRACE}`, buildKeyParams(trace));
}

/** What senders were answered stays, so that a repeat of an answered batch does not bring its traces back. */
export async function deleteProjectTraces(store: TraceStore, project: ProjectId): Promise<void> {
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
  is_user: z.coerce.boolean(),
});
/** A trace of somebody who used the traced service: whose `is_user` it says itself, or who is named in it. */
export type UserTrace = z.output<typeof UserTrace>;

const USER_TRACE = `id, project_id, trace_id, span_id, has_spans, toUnixTimestamp64Milli(start_time) AS start_ms,
  user_id = {user:String} AS is_user`;

/** The attributes that name a user. */
function listUserAttributes(user: string) {
  return USER_ID_NAMES.map((name) => ({ name, value: user }));
}

/**
 * All traces of a user of the traced service, expired ones too: whose rows say so, and those whose attributes or steps name the user. Of requests whose
 * steps are spans, these are asked themselves: a row may also say what a span said that went to another request since.
 */
export async function findUserTraces(
  store: TraceStore,
  project: ProjectId,
  user: string,
): Promise<UserTrace[]> {
  const among = { sql: ['project_id = {project:UUID}'], params: { project } };
  const naming = await withAttributes(store, listUserAttributes(user), [project], among);
  const own = oneInColumn('attributes', listUserAttributes(user));
  return store.rows(
    UserTrace,
    `SELECT ${USER_TRACE} FROM traces WHERE project_id = {project:UUID} AND (${naming.sql.join(' OR ')})
       AND (NOT has_spans OR is_user OR ${own.sql.join(' AND ')})`,
    { ...own.params, ...naming.params, project, user },
  );
}

/** A project's spans that name a user, of whatever request, and those of none. */
export async function findSpansNaming(
  store: TraceStore,
  project: ProjectId,
  user: string,
): Promise<SpanKey[]> {
  const { sql, params } = oneInColumn('metadata', listUserAttributes(user));
  const rows = await store.rows(
    z.object({ trace_id: z.string(), span_id: z.string() }),
    `SELECT trace_id, span_id FROM spans WHERE project_id = {project:UUID} AND ${sql.join(' AND ')}`,
    { ...params, project },
  );
  return rows.map(({ trace_id, span_id }) => ({ traceId: trace_id, spanId: span_id }));
}

/** The traces that have one of these spans for their request. */
export async function findTracesOf(
  store: TraceStore,
  project: ProjectId,
  user: string,
  requests: readonly SpanKey[],
): Promise<UserTrace[]> {
  const found: UserTrace[][] = [];
  for (let from = 0; from < requests.length; from += MAX_IDS) {
    const some = Map.groupBy(requests.slice(from, from + MAX_IDS), ({ traceId }) => traceId);
    const rows = await store.rows(
      UserTrace,
      `SELECT ${USER_TRACE} FROM traces WHERE project_id = {project:UUID} AND has_spans AND trace_id IN {traceIds:Array(String)}`,
      { project, user, traceIds: [...some.keys()] },
    );
    found.push(
      rows.filter(({ trace_id, span_id }) => some.get(trace_id)?.some(({ spanId }) => spanId === span_id)),
    );
  }
  return found.flat();
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

/** The same of traces that name a user, by their ids. */
export async function deleteTraces(
  store: TraceStore,
  project: ProjectId,
  ids: readonly string[],
): Promise<void> {
  for (const some of splitIds(ids)) {
    await store.command(`DELETE FROM steps WHERE project_id = {project:UUID} AND ${STEPS_OF_IDS}`, {
      project,
      ...some,
    });
    await store.command(`DELETE FROM traces WHERE project_id = {project:UUID} AND ${OF_IDS}`, {
      project,
      ...some,
    });
  }
}

/** Ids in one statement: it may be 256 kB long, and a parameter 128 kB. */
const MAX_IDS = 2000;

const OF_IDS = 'id_time_ms IN {times:Array(UInt64)} AND id IN {ids:Array(UUID)}';
const STEPS_OF_IDS = 'trace_time_ms IN {times:Array(UInt64)} AND trace IN {ids:Array(UUID)}';

/** So many traces' ids at a time as go into a statement, as its parameters. */
function* splitIds(ids: readonly string[]) {
  for (let from = 0; from < ids.length; from += MAX_IDS) {
    const some = ids.slice(from, from + MAX_IDS);
    yield { times: some.map(timeOfTraceId), ids: some };
  }
}

/** Rows that are stored of these traces; of spans, those that are given. */
export async function countTraceRows(
  store: TraceStore,
  project: ProjectId,
  ids: readonly string[],
  spans: readonly SpanKey[],
): Promise<{ readonly traces: number; readonly steps: number; readonly spans: number }> {
  const rowsOfIds = async (sql: string) => {
    let total = 0;
    for (const some of splitIds(ids)) total += await countRows(store, sql, { project, ...some });
    return total;
  };
  return {
    traces: await rowsOfIds(
      `SELECT count() AS rows FROM traces WHERE project_id = {project:UUID} AND ${OF_IDS}`,
    ),
    steps: await rowsOfIds(
      `SELECT count() AS rows FROM steps WHERE project_id = {project:UUID} AND ${STEPS_OF_IDS}`,
    ),
    spans: await countSpans(store, project, spans),
  };
}

/** Hours of a user's own figures. */
export async function countFiguresOfUser(
  store: TraceStore,
  project: ProjectId,
  user: string,
): Promise<number> {
  return countRows(
    store,
    `SELECT count() AS rows FROM user_rollups WHERE project_id = {project:UUID} AND user_id = {user:String}`,
    { project, user },
  );
}
