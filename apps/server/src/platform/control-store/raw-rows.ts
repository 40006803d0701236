import type { SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { ControlDb } from './control-store.ts';

/**
 * Runs a statement that drizzle cannot express, and returns its rows. One driver returns the rows directly,
 * the other in an object.
 */
export async function selectRawRows<S extends z.ZodType>(
  db: ControlDb,
  row: S,
  statement: SQL,
): Promise<z.output<S>[]> {
  const answer: unknown = await db.execute(statement);
  const rows = typeof answer === 'object' && answer !== null && 'rows' in answer ? answer.rows : answer;
  return z.array(row).parse(rows);
}
