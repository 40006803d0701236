import { PLANS } from '@throughline/contract';
import { lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  type ControlDb,
  paysForProject,
  planInForce,
  projects,
  retentionsSeen,
  subscriptions,
} from '../../platform/control-store/index.ts';
import { type ProjectId, readId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { hourOfMs, type ProjectHour } from '../rollups/index.ts';
import { GRACE_MS, type SeenRetention } from './cutoff.ts';

export interface ProjectRetention {
  readonly projectId: ProjectId;
  readonly hours: number;
}

/** All projects with the retention of their plan now. */
export async function findRetentions(db: ControlDb, now: Date): Promise<ProjectRetention[]> {
  const rows = await db
    .select({ projectId: projects.id, plan: subscriptions.plan, accessEndsAt: subscriptions.accessEndsAt })
    .from(projects)
    .leftJoin(subscriptions, paysForProject);
  return rows.map((row) => ({
    projectId: row.projectId,
    hours: PLANS[planInForce(row, now)].retentionHours,
  }));
}

/** So many rows go into one statement. */
const CHUNK = 1000;
const FORGET_MS = 120 * GRACE_MS;

/** Notes which retentions hold now; gives back all that are known, by project. */
export async function noteRetentions(
  db: ControlDb,
  current: readonly ProjectRetention[],
  now: Date,
): Promise<ReadonlyMap<ProjectId, readonly SeenRetention[]>> {
  const dayAgo = new Date(now.getTime() - GRACE_MS).toISOString();
  for (let from = 0; from < current.length; from += CHUNK) {
    const rows = current
      .slice(from, from + CHUNK)
      .map(({ projectId, hours }) => ({ projectId, hours, firstSeenAt: now, lastSeenAt: now }));
    await db
      .insert(retentionsSeen)
      .values(rows)
      .onConflictDoUpdate({
        target: [retentionsSeen.projectId, retentionsSeen.hours],
        set: {
          lastSeenAt: now,
          // One that comes back after a while is new again.
          firstSeenAt: sql`case when ${retentionsSeen.lastSeenAt} < ${dayAgo}::timestamptz then excluded.first_seen_at else ${retentionsSeen.firstSeenAt} end`,
        },
      });
  }
  await db.delete(retentionsSeen).where(lt(retentionsSeen.lastSeenAt, new Date(now.getTime() - FORGET_MS)));
  return Map.groupBy(await db.select().from(retentionsSeen), ({ projectId }) => projectId);
}

/** When the oldest trace of each project started, epoch ms. */
export async function findOldest(store: TraceStore): Promise<ReadonlyMap<string, number>> {
  const rows = await store.rows(
    z.object({ project_id: z.string(), oldest_ms: z.coerce.number() }),
    `SELECT project_id, toUnixTimestamp64Milli(min(start_time)) AS oldest_ms FROM traces
     WHERE /* housekeeping */ start_time < now64(6) GROUP BY project_id`,
  );
  return new Map(rows.map((row) => [row.project_id, row.oldest_ms]));
}

/** Ids in one statement: it may be 256 kB long. */
const MAX_IDS = 2000;

const Ids = z.object({ id: z.string(), trace_id: z.string() });

/**
 * Deletes a project's traces that started before `cutoff`, with their steps and spans. These are told by when they were stored, since a trace
 * comes right after it happened; those of senders whose clock was ahead, or that came late, are told by their ids. The traces' rows go last: what is cut off is done again.
 */
export async function deleteBefore(store: TraceStore, project: ProjectId, cutoff: Date): Promise<void> {
  const params = { project, cutoff: String(cutoff.getTime()) };
  const at = 'fromUnixTimestamp64Milli({cutoff:Int64})';
  const kept = await store.rows(
    Ids,
    `SELECT id, trace_id FROM traces WHERE project_id = {project:UUID} AND stored_at < ${at} AND start_time >= ${at}`,
    params,
  );
  const late = await store.rows(
    Ids,
    `SELECT id, trace_id FROM traces WHERE project_id = {project:UUID} AND start_time < ${at} AND stored_at >= ${at}`,
    params,
  );
  if (kept.length <= MAX_IDS) {
    await store.command(
      `DELETE FROM steps WHERE project_id = {project:UUID} AND stored_at < ${at} AND NOT has({ids:Array(UUID)}, trace)`,
      { ...params, ids: kept.map(({ id }) => id) },
    );
    await store.command(
      `DELETE FROM spans WHERE project_id = {project:UUID} AND stored_at < ${at} AND NOT has({ids:Array(String)}, trace_id)`,
      { ...params, ids: kept.map((row) => row.trace_id) },
    );
  }
  for (let from = 0; from < late.length; from += MAX_IDS) {
    const some = late.slice(from, from + MAX_IDS);
    await store.command(
      'DELETE FROM steps WHERE project_id = {project:UUID} AND trace IN {ids:Array(UUID)}',
      { project, ids: some.map(({ id }) => id) },
    );
    await store.command(
      'DELETE FROM spans WHERE project_id = {project:UUID} AND trace_id IN {ids:Array(String)}',
      { project, ids: some.map((row) => row.trace_id) },
    );
  }
  await store.command(`DELETE FROM traces WHERE project_id = {project:UUID} AND start_time < ${at}`, params);
}

/** What the trace store takes on disk, bytes, without parts that are merged away already. */
export async function findBytes(store: TraceStore): Promise<number> {
  const [row] = await store.rows(
    z.object({ bytes: z.coerce.number() }),
    'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase()',
  );
  return row?.bytes ?? 0;
}

export interface Outcomes {
  readonly successes: number;
  readonly errors: number;
}

export async function countOutcomes(store: TraceStore): Promise<Outcomes> {
  const [row] = await store.rows(
    z.object({ successes: z.coerce.number(), errors: z.coerce.number() }),
    `SELECT countIf(NOT is_error) AS successes, countIf(is_error) AS errors FROM traces
     WHERE /* housekeeping */ true`,
  );
  return row ?? { successes: 0, errors: 0 };
}

/** Some of the traces of one outcome, whose they may be: those stored until an instant in epoch µs. */
export interface OldTraces {
  readonly isError: boolean;
  readonly untilMicros: string;
}

/** About so many of the oldest traces of one outcome; undefined where there are none. */
export async function findOld(
  store: TraceStore,
  isError: boolean,
  count: number,
): Promise<OldTraces | undefined> {
  const [last] = await store.rows(
    z.object({ micros: z.string() }),
    `SELECT toString(toUnixTimestamp64Micro(stored_at)) AS micros FROM traces
     WHERE /* housekeeping */ is_error = {isError:Bool} ORDER BY stored_at LIMIT 1 OFFSET {last:UInt64}`,
    { isError: Number(isError), last: Math.max(0, count - 1) },
  );
  return last === undefined ? undefined : { isError, untilMicros: last.micros };
}

const OLD = 'stored_at <= fromUnixTimestamp64Micro({until:Int64})';

function paramsOf({ isError, untilMicros }: OldTraces) {
  return { isError: Number(isError), until: untilMicros };
}

/** The hours in which they started. */
export async function findHoursOf(store: TraceStore, old: OldTraces): Promise<ProjectHour[]> {
  const rows = await store.rows(
    z.object({ project_id: z.string(), start_seconds: z.number() }),
    `SELECT DISTINCT project_id, toUInt32(toStartOfHour(start_time)) AS start_seconds
     FROM traces WHERE /* housekeeping */ is_error = {isError:Bool} AND ${OLD}`,
    paramsOf(old),
  );
  return rows.flatMap((row) => {
    const projectId = readId<ProjectId>(row.project_id);
    return projectId === undefined ? [] : [{ projectId, hour: hourOfMs(row.start_seconds * 1000) }];
  });
}

/** Deletes them and gives their disk back. */
export async function dropOld(store: TraceStore, old: OldTraces): Promise<void> {
  const params = paramsOf(old);
  const gone = `FROM traces WHERE /* housekeeping */ is_error = {isError:Bool} AND ${OLD}`;
  // The engine wants to know that the list is meant: it may differ from one replica to the next.
  const settings = 'SETTINGS allow_nondeterministic_mutations = 1';
  await store.command(
    `DELETE FROM steps WHERE /* housekeeping */ ${OLD} AND (project_id, trace) IN (SELECT project_id, id ${gone}) ${settings}`,
    params,
  );
  await store.command(
    `DELETE FROM spans WHERE /* housekeeping */ ${OLD} AND (project_id, trace_id) IN (SELECT project_id, trace_id ${gone} AND has_spans)
       AND (project_id, trace_id) NOT IN (SELECT project_id, trace_id FROM traces WHERE /* housekeeping */ has_spans AND NOT (is_error = {isError:Bool} AND ${OLD}))
     ${settings}`,
    params,
  );
  await store.command(`DELETE ${gone}`, params);
  for (const table of ['steps', 'spans', 'traces']) {
    await store.command(`ALTER TABLE ${table} APPLY DELETED MASK SETTINGS mutations_sync = 2`);
  }
}
