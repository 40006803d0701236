import { z } from 'zod';
import type { TraceStore } from '../trace-store.ts';

const ON = 'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1';
const OFF = 'fsync_after_insert, fsync_part_directory, min_rows_to_fsync_after_merge';

/**
 * If `on`, each insert and merge is durable on disk before it completes, not only in the operating system's cache, and survives a power
 * failure. The setting is stored with the tables, so it is set or reset whenever the tables are opened.
 */
export async function setFsync(store: TraceStore, on: boolean): Promise<void> {
  const tables = await store.rows(
    z.object({ name: z.string(), on: z.number() }),
    `SELECT name, position(engine_full, 'fsync_after_insert = 1') > 0 AS on FROM system.tables
     WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
  );
  for (const table of tables) {
    if (on === (table.on === 1)) continue;
    await store.command(`ALTER TABLE ${table.name} ${on ? `MODIFY SETTING ${ON}` : `RESET SETTING ${OFF}`}`);
  }
}
