import { z } from 'zod';
import type { QueryParams, TraceStore } from './trace-store.ts';

const Counted = z.object({ rows: z.coerce.number() });

/** Returns the column `rows` of a SELECT with one row. */
export async function countRows(store: TraceStore, sql: string, params: QueryParams = {}): Promise<number> {
  const [row] = await store.rows(Counted, sql, params);
  return row?.rows ?? 0;
}

export async function hasTraces(store: TraceStore): Promise<boolean> {
  return (await countRows(store, 'SELECT count() AS rows FROM traces')) > 0;
}
