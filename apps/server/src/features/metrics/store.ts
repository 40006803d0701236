import { z } from 'zod';
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
