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
import type { ProjectId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { GRACE_MS, type SeenRetention } from './cutoff.ts';

export interface ProjectRetention {
  readonly projectId: ProjectId;
  readonly hours: number;
}

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

/** Maximum number of rows per statement. */
const CHUNK = 1000;
const FORGET_MS = 120 * GRACE_MS;

/** Records the current retentions. Returns all recorded retentions by project. */
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
          // A retention that is seen again after more than a day counts as new.
          firstSeenAt: sql`case when ${retentionsSeen.lastSeenAt} < ${dayAgo}::timestamptz then excluded.first_seen_at else ${retentionsSeen.firstSeenAt} end`,
        },
      });
  }
  await db.delete(retentionsSeen).where(lt(retentionsSeen.lastSeenAt, new Date(now.getTime() - FORGET_MS)));
  return Map.groupBy(await db.select().from(retentionsSeen), ({ projectId }) => projectId);
}

/** Returns the start of each project's oldest trace, in epoch ms. */
export async function findOldest(store: TraceStore): Promise<ReadonlyMap<string, number>> {
  const rows = await store.rows(
    z.object({ project_id: z.string(), oldest_ms: z.coerce.number() }),
    `SELECT project_id, toUnixTimestamp64Milli(min(start_time)) AS oldest_ms FROM traces
     WHERE /* housekeeping */ start_time < now64(6) GROUP BY project_id`,
  );
  return new Map(rows.map((row) => [row.project_id, row.oldest_ms]));
}

/** Maximum number of ids per statement: a statement can have 256 kB. */
const MAX_IDS = 2000;

const Ids = z.object({ id: z.string(), trace_id: z.string() });

/**
 * Deletes a project's traces that started before `cutoff`, with their steps and spans. Most traces are stored right after they started, so
 * steps and spans are selected by storage time, with two exceptions, which are selected by id. The steps and spans of late traces (started
 * before `cutoff`, stored after it) are deleted, too. The steps and spans of traces from a clock that was ahead (stored before `cutoff`,
 * started after it) are not deleted. Source code is deleted a day later, because a trace uses code that its service sent up to an hour
 * before. Trace rows are deleted last, so that a retry still finds them.
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
  await store.command(
    `DELETE FROM sources WHERE project_id = {project:UUID} AND stored_at < ${at} - INTERVAL 1 DAY`,
    params,
  );
  await store.command(`DELETE FROM traces WHERE project_id = {project:UUID} AND start_time < ${at}`, params);
}
