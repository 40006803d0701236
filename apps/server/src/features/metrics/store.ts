import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';

/** Rows and bytes on disk of a table, without parts that are merged away already. */
export async function countStored(
  store: TraceStore,
  table: string,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const [row] = await store.rows(
    z.object({ rows: z.coerce.number(), bytes: z.coerce.number() }),
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE active AND database = currentDatabase() AND table = {table:String}`,
    { table },
  );
  return row ?? { rows: 0, bytes: 0 };
}
