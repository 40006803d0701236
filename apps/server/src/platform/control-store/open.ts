import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import { type Locks, locksWithoutOthers } from '../queues/locks.ts';
import { checkControlFolder, emptiedStore } from '../start/data-folder.ts';
import { makeFolder } from './make-folder.ts';
import { controlMigrations, withMigrations } from './migrations.ts';
import { migrateServed, migratingAlone, openServed } from './served.ts';
import { unpackShipped } from './shipped-folder.ts';
import * as schema from './tables/schema.ts';

/** Queries in the PostgreSQL dialect, the same for both drivers; a transaction is one too. */
export type ControlDb = PgDatabase<PgQueryResultHKT, typeof schema>;

/** Accounts, organizations, projects and keys. */
export interface ControlStore {
  readonly db: ControlDb;
  /** Tells every server on this store, this one too. Channel names are in lower case. */
  notify(channel: string, payload: string): Promise<void>;
  /** `onListening` is also called after each reconnect, when notices may have been missed. Resolves once it listens. */
  listen(channel: string, onNotice: (payload: string) => void, onListening?: () => void): Promise<void>;
  /**
   * Runs a task while no other server on this store runs one under any of these names; a store in the data folder has no other server. What a
   * task stores in this store is not one transaction with it.
   * @throws where its turn does not come within ten seconds
   */
  alone<T>(names: readonly string[], task: (locks: Locks) => Promise<T>): Promise<T>;
  /** Rejects when the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Accounts need few of the usual 128 MB, each page of which is touched at the start. This saves 0.4 s and 135 MB. */
const OWN_PARAMS = ['-c', 'shared_buffers=16MB'];

interface ControlStoreConfig {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
}

export interface OpenControlOptions {
  /** The newest migration to apply; all where it is left out. */
  readonly upTo?: string;
  /** True where accounts were stored before: then a store without tables is refused. */
  readonly used?: boolean;
}

/**
 * Opens the store and brings its tables up to date.
 * @throws ControlStoreTooNew, DamagedFolder
 */
export async function openControlStore(
  config: ControlStoreConfig,
  { upTo, used = false }: OpenControlOptions = {},
): Promise<ControlStore> {
  const { databaseUrl } = config;
  if (databaseUrl !== undefined) {
    await migratingAlone(databaseUrl, (client) => migrateServed(client, { upTo, used }));
    return servedStore(databaseUrl);
  }
  const { client, store } = await openEmbedded(config.dataDir, upTo === undefined);
  try {
    const db = drizzlePglite(client, { schema });
    const { applied } = await controlMigrations(db);
    if (used && applied === undefined) throw emptiedStore(join(config.dataDir, 'control'), 'accounts');
    await withMigrations(upTo, (migrationsFolder) => migratePglite(db, { migrationsFolder }));
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the store with the tables that it has: to look at it. */
export async function openControlUnmigrated(config: ControlStoreConfig): Promise<ControlStore> {
  if (config.databaseUrl !== undefined) return servedStore(config.databaseUrl);
  return (await openEmbedded(config.dataDir, false)).store;
}

async function openEmbedded(
  dataDir: string,
  withTables: boolean,
): Promise<{ readonly client: PGlite; readonly store: ControlStore }> {
  const client = await openPglite(dataDir, withTables);
  const store: ControlStore = {
    ...storeOn(drizzlePglite(client, { schema })),
    async listen(channel, onNotice, onListening) {
      await client.listen(channel, onNotice);
      onListening?.();
    },
    alone: (names, task) => task(locksWithoutOthers(names)),
    close: () => client.close(),
  };
  return { client, store };
}

/**
 * PGlite's first initialisation does not survive being killed, so it happens in a folder that counts only once it is renamed. Where that one may
 * have the newest tables, it is unpacked in a tenth of the time that making it takes.
 */
async function openPglite(dataDir: string, withTables: boolean): Promise<PGlite> {
  await mkdir(dataDir, { recursive: true });
  const folder = join(dataDir, 'control');
  const entries = await readdir(dataDir);
  for (const entry of entries) {
    // A start that was killed may have left a process that is still writing, and soon ends.
    const patience = { maxRetries: 20, retryDelay: 100 };
    if (entry.startsWith('control.new-'))
      await rm(join(dataDir, entry), { recursive: true, force: true, ...patience });
  }
  if (!entries.includes('control')) {
    const fresh = join(dataDir, `control.new-${process.pid}`);
    if (!withTables || !unpackShipped(fresh)) await makeFolder(fresh);
    await rename(fresh, folder);
  }
  checkControlFolder(folder);
  return PGlite.create({ dataDir: folder, startParams: [...PGlite.defaultStartParams, ...OWN_PARAMS] });
}

function servedStore(url: string): ControlStore {
  const { db, ...served } = openServed(url);
  return { ...storeOn(db), ...served };
}

function storeOn(db: ControlDb): Pick<ControlStore, 'db' | 'notify' | 'ping'> {
  return {
    db,
    async notify(channel, payload) {
      await db.execute(sql`select pg_notify(${channel}, ${payload})`);
    },
    async ping() {
      await db.execute(sql`select 1`);
    },
  };
}
