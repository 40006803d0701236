import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ControlDb, selectRawRows } from '../../platform/control-store/index.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';

/**
 * Counts a table's rows (each once, however many replicas store it) and the table's bytes on the disks of all replicas. Parts that have
 * already been merged into others are not counted.
 */
export async function countStored(
  store: TraceStore,
  table: string,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const [row] = await store.rows(
    z.object({ rows: z.coerce.number(), bytes: z.coerce.number() }),
    `SELECT sum(part_rows) AS rows, sum(part_bytes) AS bytes FROM (
       SELECT any(rows) AS part_rows, sum(bytes_on_disk) AS part_bytes FROM ${store.partsOfAllNodes}
       WHERE active AND table = {table:String} GROUP BY shard, name)`,
    { table },
  );
  return row ?? { rows: 0, bytes: 0 };
}

export async function findControlBytes(db: ControlDb): Promise<number> {
  const [row] = await selectRawRows(
    db,
    z.object({ bytes: z.coerce.number() }),
    sql`select pg_database_size(current_database()) as bytes`,
  );
  return row?.bytes ?? 0;
}
