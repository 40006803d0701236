import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';

/** A part of a table that ClickHouse could not read and has detached. Queries do not return the part's rows. */
const DamagedPart = z.object({
  table: z.string(),
  name: z.string(),
  reason: z.string(),
  path: z.string(),
});
export type DamagedPart = z.output<typeof DamagedPart>;

/** Finds parts that were detached because they are damaged, not for another reason, such as an operator's command. */
export function findDamagedParts(store: TraceStore): Promise<DamagedPart[]> {
  return store.rows(
    DamagedPart,
    `SELECT table, name, reason, path FROM ${store.detachedPartsOfAllNodes}
     WHERE reason LIKE 'broken%' OR reason IN ('unexpected', 'noquorum', 'merge-not-byte-identical', 'mutate-not-byte-identical')
     ORDER BY table, name`,
  );
}

const CheckedPart = z.object({ part_path: z.string(), is_passed: z.coerce.number(), message: z.string() });

/** Reads a table's parts and compares their checksums, for at most `seconds`. Rejects if the time was not enough. */
export async function checkTable(
  store: TraceStore,
  table: 'traces' | 'steps' | 'spans',
  seconds: number,
): Promise<{ readonly part: string; readonly why: string }[]> {
  const parts = await store.rows(
    CheckedPart,
    `CHECK TABLE ${table} SETTINGS check_query_single_value_result = 0, max_execution_time = ${seconds}`,
  );
  return parts
    .filter(({ is_passed }) => is_passed !== 1)
    .map(({ part_path, message }) => ({ part: part_path, why: message }));
}
