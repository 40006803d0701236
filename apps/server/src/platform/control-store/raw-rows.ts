import type { SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { ControlDb } from './open.ts';

/** Rows of a statement that drizzle has no words for. One driver answers with the rows, the other with an object that has them. */
export async function rawRows<S extends z.ZodType>(
  db: ControlDb,
  row: S,
  statement: SQL,
): Promise<z.output<S>[]> {
  const answer: unknown = await db.execute(statement);
  const rows = typeof answer === 'object' && answer !== null && 'rows' in answer ? answer.rows : answer;
  return z.array(row).parse(rows);
}
