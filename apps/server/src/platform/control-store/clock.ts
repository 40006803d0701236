import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { ControlDb } from './control-store.ts';
import { selectRawRows } from './raw-rows.ts';

export async function readControlClock(db: ControlDb): Promise<Date> {
  const [row] = await selectRawRows(
    db,
    z.object({ ms: z.coerce.number() }),
    sql`select extract(epoch from clock_timestamp()) * 1000 as ms`,
  );
  if (row === undefined) throw new Error('the store did not return its time');
  return new Date(row.ms);
}
