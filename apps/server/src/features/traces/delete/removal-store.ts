import { z } from 'zod';
import type { ProjectId } from '../../../platform/ids.ts';
import {
  countRows,
  hashOfUser,
  type TraceStore,
  timeOfTraceId,
  USER_HASH,
  USER_ID_NAMES,
} from '../../../platform/trace-store/index.ts';
import { countSpans, type SpanKey } from '../../spans/index.ts';
import { buildKeyParams, OF_TRACE } from '../detail/single-trace-store.ts';
import { matchAnyInColumn, withAttributes } from '../list/attribute-store.ts';

/** Deletes the trace's row first, because the other rows are not visible without it. */
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

/**
 * Deletes a project's traces, spans and sources, but not the stored ingest responses, so that resending an acknowledged batch does not
 * restore its traces.
 */
export async function deleteProjectTraces(store: TraceStore, project: ProjectId): Promise<void> {
  for (const table of ['traces', 'steps', 'spans', 'sources']) {
    await store.command(`DELETE FROM ${table} WHERE project_id = {project:UUID}`, { project });
  }
}

/** Deletes the trace rows first, because the other rows are not visible without them. */
export async function deleteProject(store: TraceStore, project: ProjectId): Promise<void> {
  for (const table of ['traces', 'steps', 'spans', 'sources', 'ingest_batches']) {
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
/**
 * A trace about a user of the traced service. `is_user` is true if the trace's user id is this user, and false if the user is only named
 * in the trace.
 */
export type UserTrace = z.output<typeof UserTrace>;

const USER_TRACE = `id, project_id, trace_id, span_id, has_spans, toUnixTimestamp64Milli(start_time) AS start_ms,
  user_id = {user:String} AS is_user`;

function listUserAttributes(user: string) {
  return USER_ID_NAMES.map((name) => ({ name, value: user }));
}

/**
 * Finds all traces about a user of the traced service, including expired ones: by user id, and by attributes or steps that name the user.
 * If a request's steps are spans, only the request's own attributes are checked: the row of the request can still contain the attributes of
 * a span that now belongs to another request.
 */
export async function findUserTraces(
  store: TraceStore,
  project: ProjectId,
  user: string,
): Promise<UserTrace[]> {
  const among = { sql: ['project_id = {project:UUID}'], params: { project } };
  const naming = await withAttributes(store, listUserAttributes(user), [project], among);
  const own = matchAnyInColumn('attributes', listUserAttributes(user));
  return store.rows(
    UserTrace,
    `SELECT ${USER_TRACE} FROM traces WHERE project_id = {project:UUID} AND (${naming.sql.join(' OR ')})
       AND (NOT has_spans OR is_user OR ${own.sql.join(' AND ')})`,
    { ...own.params, ...naming.params, project, user },
  );
}

/** Finds a project's spans that name a user, whether or not the spans belong to a request. */
export async function findSpansNaming(
  store: TraceStore,
  project: ProjectId,
  user: string,
): Promise<SpanKey[]> {
  const { sql, params } = matchAnyInColumn('metadata', listUserAttributes(user));
  const rows = await store.rows(
    z.object({ trace_id: z.string(), span_id: z.string() }),
    `SELECT trace_id, span_id FROM spans WHERE project_id = {project:UUID} AND ${sql.join(' AND ')}`,
    { ...params, project },
  );
  return rows.map(({ trace_id, span_id }) => ({ traceId: trace_id, spanId: span_id }));
}

/** Finds the traces whose request is one of the spans `requests`. */
export async function findTracesFromSpans(
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

/** ClickHouse requires this setting, because the subquery can return different rows on each replica. */
const LISTED = 'SETTINGS allow_nondeterministic_mutations = 1';

/**
 * Deletes a user's traces. Steps are deleted first: after an interruption, the remaining rows can still be found through the traces. The
 * statements contain only a hash of the user id, because ClickHouse stores statements that delete rows.
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

/** Maximum number of ids per statement: a statement can have 256 kB, and a parameter 128 kB. */
const MAX_IDS = 2000;

const OF_IDS = 'id_time_ms IN {times:Array(UInt64)} AND id IN {ids:Array(UUID)}';
const STEPS_OF_IDS = 'trace_time_ms IN {times:Array(UInt64)} AND trace IN {ids:Array(UUID)}';

/** Splits ids into parameters that each fit into one statement. */
function* splitIds(ids: readonly string[]) {
  for (let from = 0; from < ids.length; from += MAX_IDS) {
    const some = ids.slice(from, from + MAX_IDS);
    yield { times: some.map(timeOfTraceId), ids: some };
  }
}

/** Counts the stored rows of these traces, and of the given spans. */
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

/** Counts the hours for which the user has rollups. */
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
