import { VERY_SLOW_MS } from '@throughline/contract';
import { eq, isNull, lte, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ControlDb, diskBudgets } from '../../platform/control-store/index.ts';
import { type ProjectId, readId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type ProjectHour, toHourFromMs } from '../rollups/index.ts';
import type { TraceKind } from './disk-budget-policy.ts';

/** Returns the trace store's size on disk in bytes, over all nodes. Excludes parts that were already merged into others. */
export async function findBytes(store: TraceStore): Promise<number> {
  const [row] = await store.rows(
    z.object({ bytes: z.coerce.number() }),
    `SELECT sum(bytes_on_disk) AS bytes FROM ${store.partsOfAllNodes} WHERE active`,
  );
  return row?.bytes ?? 0;
}

const SLOW_MICROS = VERY_SLOW_MS * 1000;
const OF_KIND: Readonly<Record<TraceKind, string>> = {
  quick: `NOT is_error AND duration_micros <= ${SLOW_MICROS}`,
  slow: `NOT is_error AND duration_micros > ${SLOW_MICROS}`,
  failed: 'is_error',
};

const KindCounts = z.object({ quick: z.coerce.number(), slow: z.coerce.number(), failed: z.coerce.number() });

export async function countKinds(store: TraceStore): Promise<Readonly<Record<TraceKind, number>>> {
  const [row] = await store.rows(
    KindCounts,
    `SELECT countIf(${OF_KIND.quick}) AS quick, countIf(${OF_KIND.slow}) AS slow, countIf(${OF_KIND.failed}) AS failed
     FROM traces WHERE /* housekeeping */ true`,
  );
  return row ?? { quick: 0, slow: 0, failed: 0 };
}

/** Traces of one kind, over all projects, that were stored up to a time (epoch microseconds). */
export interface OldTraces {
  readonly kind: TraceKind;
  readonly untilMicros: string;
}

/** Selects the oldest traces of one kind, at least `count` of them. Returns undefined if the kind has fewer than `count` traces. */
export async function findOld(
  store: TraceStore,
  kind: TraceKind,
  count: number,
): Promise<OldTraces | undefined> {
  const [last] = await store.rows(
    z.object({ micros: z.string() }),
    `SELECT toString(toUnixTimestamp64Micro(stored_at)) AS micros FROM traces
     WHERE /* housekeeping */ ${OF_KIND[kind]} ORDER BY stored_at LIMIT 1 OFFSET {last:UInt64}`,
    { last: Math.max(0, count - 1) },
  );
  return last === undefined ? undefined : { kind, untilMicros: last.micros };
}

const OLD = 'stored_at <= fromUnixTimestamp64Micro({until:Int64})';

/** Returns, for each project, the hours in which traces of this kind that were stored up to this time started. */
export async function findHours(store: TraceStore, { kind, untilMicros }: OldTraces): Promise<ProjectHour[]> {
  const rows = await store.rows(
    z.object({ project_id: z.string(), start_seconds: z.number() }),
    `SELECT DISTINCT project_id, toUInt32(toStartOfHour(start_time)) AS start_seconds
     FROM traces WHERE /* housekeeping */ ${OF_KIND[kind]} AND ${OLD}`,
    { until: untilMicros },
  );
  return rows.flatMap((row) => {
    const projectId = readId<ProjectId>(row.project_id);
    return projectId === undefined ? [] : [{ projectId, hour: toHourFromMs(row.start_seconds * 1000) }];
  });
}

/** Deletes the traces of this kind that were stored up to this time, with their steps and spans, and frees their disk space. */
export async function dropOld(store: TraceStore, { kind, untilMicros }: OldTraces): Promise<void> {
  const params = { until: untilMicros };
  const gone = `FROM traces WHERE /* housekeeping */ ${OF_KIND[kind]} AND ${OLD}`;
  // ClickHouse requires this setting, because the subquery can return different rows on each replica.
  const settings = 'SETTINGS allow_nondeterministic_mutations = 1';
  await store.command(
    `DELETE FROM steps WHERE /* housekeeping */ ${OLD} AND (project_id, trace) IN (SELECT project_id, id ${gone}) ${settings}`,
    params,
  );
  await store.command(
    `DELETE FROM spans WHERE /* housekeeping */ ${OLD} AND (project_id, trace_id) IN (SELECT project_id, trace_id ${gone} AND has_spans)
       AND (project_id, trace_id) NOT IN (SELECT project_id, trace_id FROM traces WHERE /* housekeeping */ has_spans AND NOT (${OF_KIND[kind]} AND ${OLD}))
     ${settings}`,
    params,
  );
  await store.command(`DELETE ${gone}`, params);
  for (const table of ['steps', 'spans', 'traces']) {
    await store.command(`ALTER TABLE ${table} APPLY DELETED MASK SETTINGS mutations_sync = 2`);
  }
}

/** Key of the row that all servers of a store share. */
const TRACES = 'traces';

/**
 * Reserves disk cleanup for this server until a time. Returns true if the server got the reservation. A server that already has the
 * reservation extends it.
 */
export async function holdBudget(
  db: ControlDb,
  server: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const held = await db
    .insert(diskBudgets)
    .values({ store: TRACES, heldBy: server, heldUntil: until })
    .onConflictDoUpdate({
      target: diskBudgets.store,
      set: { heldBy: server, heldUntil: until },
      setWhere: sql`${or(
        eq(diskBudgets.heldBy, server),
        isNull(diskBudgets.heldUntil),
        lte(diskBudgets.heldUntil, now),
      )}`,
    })
    .returning({ store: diskBudgets.store });
  return held.length > 0;
}

export async function releaseBudget(db: ControlDb, server: string): Promise<void> {
  await db.update(diskBudgets).set({ heldBy: null, heldUntil: null }).where(eq(diskBudgets.heldBy, server));
}

/**
 * Records an eviction. The recorded start of the evictions (`since`) stays the same unless the last eviction was more than `apartMs` ago.
 */
export async function recordDrop(db: ControlDb, now: Date, apartMs: number): Promise<void> {
  const apart = new Date(now.getTime() - apartMs).toISOString();
  await db
    .update(diskBudgets)
    .set({
      since: sql`case when ${diskBudgets.lastDropAt} >= ${apart}::timestamptz then ${diskBudgets.since} else ${now.toISOString()}::timestamptz end`,
      lastDropAt: now,
    })
    .where(eq(diskBudgets.store, TRACES));
}

/** Returns the times of the first and last of the current evictions; undefined if traces were never evicted. */
export async function findDrops(
  db: ControlDb,
): Promise<{ readonly since: Date; readonly lastDropAt: Date } | undefined> {
  const [row] = await db.select().from(diskBudgets).where(eq(diskBudgets.store, TRACES));
  const { since = null, lastDropAt = null } = row ?? {};
  return since === null || lastDropAt === null ? undefined : { since, lastDropAt };
}
