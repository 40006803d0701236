import { join } from 'node:path';
import type { ClickHouseConfig } from '../config.ts';
import { createLocalLocks } from '../queues/locks.ts';
import { buildEmptiedStoreError, DamagedFolder } from '../start/data-folder.ts';
import { setFsync } from './embedded/fsync.ts';
import { findMissingTables, migrate, traceMigrations } from './migrate.ts';
import type { TraceStore } from './trace-store.ts';

interface TraceStoreConfig {
  readonly clickhouse: ClickHouseConfig | undefined;
  readonly dataDir: string;
  /** True to sync writes to disk. Only for the embedded store; the operator of a ClickHouse server sets this for its tables. */
  readonly fsync?: boolean;
}

export interface OpenTracesOptions {
  /** Version to migrate the tables to; absent: the newest. */
  readonly upTo?: number;
  /** True if the store already contained traces: a store without tables is then rejected. */
  readonly used?: boolean;
}

/**
 * Opens the store and applies pending migrations. For a folder, ClickHouse's own lock ensures that only one process
 * uses it.
 * @throws TraceStoreTooNew, DamagedFolder
 */
export async function openTraceStore(
  config: TraceStoreConfig,
  { upTo, used = false }: OpenTracesOptions = {},
): Promise<TraceStore> {
  const store = await openUnmigrated(config);
  try {
    if (used) await refuseEmptied(store, config);
    await migrate(store, upTo);
    await refuseMissingTables(store);
    if (config.clickhouse === undefined) await setFsync(store, config.fsync ?? false);
    // Fails now if the ClickHouse user lacks permission to see running statements. Otherwise the server would start, but reject traces.
    else await store.holding(createLocalLocks([]));
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/**
 * Rejects a store that lost its tables after the last complete start. Applies no migrations.
 * @throws DamagedFolder
 */
export async function refuseLostTables(store: TraceStore, config: TraceStoreConfig): Promise<void> {
  await refuseEmptied(store, config);
  await refuseMissingTables(store);
}

/**
 * Rejects a store that has lost all record of its migrations, in a folder or on a server. Otherwise the engine would not notice the damage,
 * and the migrations would create an empty store.
 */
async function refuseEmptied(store: TraceStore, config: TraceStoreConfig): Promise<void> {
  if ((await traceMigrations(store)).applied > 0) return;
  throw buildEmptiedStoreError(
    config.clickhouse === undefined ? join(config.dataDir, 'traces') : 'The database of CLICKHOUSE_URL',
    'traces',
  );
}

async function refuseMissingTables(store: TraceStore): Promise<void> {
  const missing = await findMissingTables(store);
  if (missing.length === 0) return;
  throw new DamagedFolder(
    `The store of traces is damaged: it has lost the table${missing.length === 1 ? '' : 's'} ${missing.join(', ')}. Restore a backup, or put the store back as it was.`,
  );
}

/**
 * Opens the store without applying migrations, to inspect it. Loads only the engine that is needed: chDB is
 * 566 MB of native code, and it terminates the process if two threads load it.
 */
export async function openUnmigrated(config: TraceStoreConfig): Promise<TraceStore> {
  if (config.clickhouse !== undefined)
    return (await import('./served/served.ts')).openServed(config.clickhouse);
  return (await import('./embedded/embedded.ts')).openEmbedded(config.dataDir);
}
