import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ControlDb, rawRows } from '../../platform/control-store/index.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';

/** Rows of a table, each once however many replicas have it, and its bytes on all their disks; without parts that are merged away already. */
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

/** Bytes on disk of the control store. */
export async function findControlBytes(db: ControlDb): Promise<number> {
  const [row] = await rawRows(
    db,
    z.object({ bytes: z.coerce.number() }),
    sql`select pg_database_size(current_database()) as bytes`,
  );
  return row?.bytes ?? 0;
}
