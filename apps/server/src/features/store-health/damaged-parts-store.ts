import { z } from 'zod';
import type { TraceStore } from '../../platform/trace-store/index.ts';

/** A piece of a table that the engine could not read and detached: its rows are in no answer. */
const DamagedPart = z.object({
  table: z.string(),
  name: z.string(),
  reason: z.string(),
  path: z.string(),
});
export type DamagedPart = z.output<typeof DamagedPart>;

/** Parts that were detached because they are damaged. Detached for other reasons, such as by an operator's command, they are no damage. */
export function findDamagedParts(store: TraceStore): Promise<DamagedPart[]> {
  return store.rows(
    DamagedPart,
    `SELECT table, name, reason, path FROM ${store.detachedPartsOfAllNodes}
     WHERE reason LIKE 'broken%' OR reason IN ('unexpected', 'noquorum', 'merge-not-byte-identical', 'mutate-not-byte-identical')
     ORDER BY table, name`,
  );
}

const CheckedPart = z.object({ part_path: z.string(), is_passed: z.coerce.number(), message: z.string() });

/**
 * Reads a table's parts and compares their checksums, for at most `seconds`. Rejects where the time is not enough.
 */
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
