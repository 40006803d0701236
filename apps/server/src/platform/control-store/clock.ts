import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { ControlDb } from './control-store.ts';
import { rawRows } from './raw-rows.ts';

/** Reads the clock of the control store. */
export async function controlClock(db: ControlDb): Promise<Date> {
  const [row] = await rawRows(
    db,
    z.object({ ms: z.coerce.number() }),
    sql`select extract(epoch from clock_timestamp()) * 1000 as ms`,
  );
  if (row === undefined) throw new Error('the store did not return its time');
  return new Date(row.ms);
}
