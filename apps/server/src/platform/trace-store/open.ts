import { join } from 'node:path';
import type { ClickHouseConfig } from '../config.ts';
import { locksWithoutOthers } from '../queues/locks.ts';
import { DamagedFolder, emptiedStore } from '../start/data-folder.ts';
import { setFsync } from './embedded/fsync.ts';
import { findMissingTables, migrate, traceMigrations } from './migrate.ts';
import type { TraceStore } from './trace-store.ts';

interface TraceStoreConfig {
  readonly clickhouse: ClickHouseConfig | undefined;
  readonly dataDir: string;
  /** Only for the embedded store; the tables of a ClickHouse server belong to its operator. */
  readonly fsync?: boolean;
}

export interface OpenTracesOptions {
  /** Version to migrate the tables to; absent: the newest. */
  readonly upTo?: number;
  /** True if the store already contained traces: a store without tables is then rejected. */
  readonly used?: boolean;
}

/**
 * Opens the store and applies pending migrations. ClickHouse's own lock ensures that only one process uses a
 * folder.
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
    // Fails at start if the user lacks permission to see running statements. Otherwise traces would be
    // rejected later.
    else await store.holding(locksWithoutOthers([]));
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/**
 * Refuses a store that lost its tables since a start that completed. Applies no migrations.
 * @throws DamagedFolder
 */
export async function refuseLostTables(store: TraceStore, config: TraceStoreConfig): Promise<void> {
  await refuseEmptied(store, config);
  await refuseMissingTables(store);
}

/** The engine does not notice that a store's folder was damaged, and would create an empty store. */
async function refuseEmptied(store: TraceStore, config: TraceStoreConfig): Promise<void> {
  if ((await traceMigrations(store)).applied > 0) return;
  throw emptiedStore(
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
