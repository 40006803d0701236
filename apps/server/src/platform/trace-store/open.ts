import { join } from 'node:path';
import type { z } from 'zod';
import type { ClickHouseConfig } from '../config.ts';
import { type Locks, locksWithoutOthers } from '../queues/locks.ts';
import { DamagedFolder, emptiedStore } from '../start/data-folder.ts';
import { setFsync } from './embedded/fsync.ts';
import { findMissingTables, migrate, traceMigrations } from './migrate.ts';

export type QueryParams = Readonly<Record<string, string | number | readonly string[] | readonly number[]>>;

/** Traces and their steps in ClickHouse, either embedded in this process or on a server. */
export interface TraceStore {
  /**
   * Returns the rows of a SELECT, each parsed with a schema. Values are passed only as `{name:Type}`
   * parameters.
   */
  rows<S extends z.ZodType>(row: S, sql: string, params?: QueryParams): Promise<z.output<S>[]>;
  /**
   * Returns the unparsed lines of a SELECT with one string column without line breaks, such as JSON that is
   * only passed on.
   */
  lines(sql: string, params?: QueryParams): Promise<string[]>;
  /** Like `rows`, but never waits for a slow read. Used by inserts. */
  rowsForWriter: TraceStore['rows'];
  /** Like `rows`, for background work: neither inserts nor other reads wait for it. */
  rowsBeside: TraceStore['rows'];
  command(sql: string, params?: QueryParams): Promise<void>;
  /** Like `command`, for slow statements: neither inserts nor reads wait for it. */
  commandBeside(sql: string, params?: QueryParams): Promise<void>;
  /**
   * Streams the lines of a SELECT in TabSeparated format in chunks, for results that do not fit into memory.
   */
  stream(sql: string, params?: QueryParams): AsyncIterable<Buffer>;
  /**
   * Inserts rows in TabSeparated format; several buffers form a single insert. When it resolves, the rows
   * survive the end of this process. Atomic within one partition.
   */
  insert(table: string, columns: readonly string[], rows: Buffer | readonly Buffer[]): Promise<void>;
  /**
   * SQL source of this store's parts: `system.parts` of all nodes, with logical table names in `table`.
   * Replicas of a `shard` have the same part names.
   */
  readonly partsOfAllNodes: string;
  /** The same for `system.detached_parts`. */
  readonly detachedPartsOfAllNodes: string;
  /**
   * Returns this store for a lock holder, which checks what is stored before it stores the rest: no insert or
   * command starts after the locks are lost. Resolves when no statement of an earlier, dead or disconnected
   * holder is running.
   * @throws InsertsLeft after ten seconds
   */
  holding(locks: Locks): Promise<TraceStore>;
  /** Rejects if the store does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

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
