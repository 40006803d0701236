import { join } from 'node:path';
import type { z } from 'zod';
import type { ClickHouseConfig } from '../config.ts';
import { type Locks, locksWithoutOthers } from '../queues/locks.ts';
import { DamagedFolder, emptiedStore } from '../start/data-folder.ts';
import { setFsync } from './embedded/fsync.ts';
import { findMissingTables, migrate, traceMigrations } from './migrate.ts';

export type QueryParams = Readonly<Record<string, string | number | readonly string[] | readonly number[]>>;

/** Traces and their steps, in ClickHouse SQL, whether ClickHouse runs in this process or elsewhere. */
export interface TraceStore {
  /** Rows of a SELECT, each read by a schema. Values go in as `{name:Type}` parameters only. */
  rows<S extends z.ZodType>(row: S, sql: string, params?: QueryParams): Promise<z.output<S>[]>;
  /** The lines of a SELECT with one text column that holds no line end, as they are: JSON that is only passed on. */
  lines(sql: string, params?: QueryParams): Promise<string[]>;
  /** Like `rows`, beside the inserts: never behind a slow read. */
  rowsForWriter: TraceStore['rows'];
  /** Like `rows`, for work in the background: neither an insert nor a reader waits for it. */
  rowsBeside: TraceStore['rows'];
  command(sql: string, params?: QueryParams): Promise<void>;
  /** Like `command`, for what may take long: neither an insert nor a reader waits for it. */
  commandBeside(sql: string, params?: QueryParams): Promise<void>;
  /** The lines of a SELECT in TabSeparated format, as they come and some at a time: for more than fits into memory. */
  stream(sql: string, params?: QueryParams): AsyncIterable<Buffer>;
  /**
   * Rows in TabSeparated format, in one piece or in several that are one insert all the same. Durable against the end of this process once it
   * resolves; atomic within one partition.
   */
  insert(table: string, columns: readonly string[], rows: Buffer | readonly Buffer[]): Promise<void>;
  /**
   * SQL source of this store's parts: `system.parts` of all nodes, with the stores' names in `table`. Replicas have the parts of their `shard` under
   * the same names.
   */
  readonly partsOfAllNodes: string;
  /** The same for `system.detached_parts`. */
  readonly detachedPartsOfAllNodes: string;
  /**
   * Returns this store for the holder of locks, who checks what is stored before storing the rest: no insert or command begins once the locks are lost.
   * Resolves when no statement of an earlier, dead or disconnected holder is left running.
   * @throws InsertsLeft where that takes ten seconds
   */
  holding(locks: Locks): Promise<TraceStore>;
  /** Rejects when the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

interface TraceStoreConfig {
  readonly clickhouse: ClickHouseConfig | undefined;
  readonly dataDir: string;
  /** For the store in this process; the tables of a ClickHouse server belong to its operator. */
  readonly fsync?: boolean;
}

export interface OpenTracesOptions {
  /** The newest version to bring the tables to; the newest there is where it is left out. */
  readonly upTo?: number;
  /** True where traces were stored before: then a store without tables is refused. */
  readonly used?: boolean;
}

/**
 * Opens the store and brings its tables up to date. One process a folder: a second one is refused by ClickHouse's own lock.
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
    // Who may not see what runs learns it now, not from traces that are refused.
    else await store.holding(locksWithoutOthers([]));
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** The engine forgets a store whose folder was damaged, and would make an empty one. */
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
 * Opens the store with the tables that it has: to look at it. An engine is loaded only where it is opened: chDB is 566 MB of native code, and ends
 * the process when two threads have loaded it.
 */
export async function openUnmigrated(config: TraceStoreConfig): Promise<TraceStore> {
  if (config.clickhouse !== undefined)
    return (await import('./served/served.ts')).openServed(config.clickhouse);
  return (await import('./embedded/embedded.ts')).openEmbedded(config.dataDir);
}
