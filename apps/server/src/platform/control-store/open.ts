import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import { readDiskSpace } from '../disks/disk.ts';
import { findDiskTrouble } from '../disks/disk-trouble.ts';
import { createLocalLocks } from '../queues/locks.ts';
import {
  buildDiskFullError,
  buildEmptiedStoreError,
  buildUnusableControlError,
  checkControlFolder,
} from '../start/data-folder.ts';
import type { ControlDb, ControlStore } from './control-store.ts';
import { makeFolder } from './make-folder.ts';
import { readControlMigrations, withMigrations } from './migrations.ts';
import { migrateAlone, migrateServed, openServed } from './served.ts';
import { unpackShipped } from './shipped-folder.ts';
import * as schema from './tables/schema.ts';

/**
 * Parameters of the embedded store. PostgreSQL touches all of its shared buffers at the start, usually 128 MB, but accounts need little. A
 * limit of 16 MB saves 0.4 s of each start and 135 MB of memory.
 */
const OWN_PARAMS = ['-c', 'shared_buffers=16MB'];

interface ControlStoreConfig {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
}

export interface OpenControlOptions {
  /** The newest migration to apply; absent: all migrations. */
  readonly upTo?: string;
  /** True if the store already contained accounts: a store without tables is then rejected. */
  readonly used?: boolean;
}

/**
 * Opens the store and applies pending migrations.
 * @throws ControlStoreTooNew, DamagedFolder
 */
export async function openControlStore(
  config: ControlStoreConfig,
  { upTo, used = false }: OpenControlOptions = {},
): Promise<ControlStore> {
  const { databaseUrl } = config;
  if (databaseUrl !== undefined) {
    await migrateAlone(databaseUrl, (client) => migrateServed(client, { upTo, used }));
    return createServedStore(databaseUrl);
  }
  const { client, store } = await openEmbedded(config.dataDir, upTo === undefined);
  try {
    const db = drizzlePglite(client, { schema });
    const { applied } = await readControlMigrations(db);
    if (used && applied === undefined)
      throw buildEmptiedStoreError(join(config.dataDir, 'control'), 'accounts');
    await withMigrations(upTo, (migrationsFolder) => migratePglite(db, { migrationsFolder }));
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the store without applying migrations, to inspect it. */
export async function openControlUnmigrated(config: ControlStoreConfig): Promise<ControlStore> {
  if (config.databaseUrl !== undefined) return createServedStore(config.databaseUrl);
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
    alone: (names, task) => task(createLocalLocks(names)),
    close: () => client.close(),
  };
  return { client, store };
}

/**
 * Opens a PGlite folder, and creates it if it does not exist. If PGlite is killed while it initializes a folder, the folder is unusable, so
 * the folder has a temporary name until it is complete. `withTables`: unpacks the shipped folder, which has all tables, instead of having
 * PGlite initialize a folder, which takes ten times as long.
 */
async function openPglite(dataDir: string, withTables: boolean): Promise<PGlite> {
  await mkdir(dataDir, { recursive: true });
  const folder = join(dataDir, 'control');
  const entries = await readdir(dataDir);
  for (const entry of entries) {
    // If a previous server was killed while it started, its child process can still be writing to the folder, but soon exits.
    const patience = { maxRetries: 20, retryDelay: 100 };
    if (entry.startsWith('control.new-'))
      await rm(join(dataDir, entry), { recursive: true, force: true, ...patience });
  }
  if (!entries.includes('control')) {
    const fresh = join(dataDir, `control.new-${process.pid}`);
    try {
      if (!withTables || !unpackShipped(fresh)) await makeFolder(fresh);
    } catch (cause) {
      const full = await findFullDisk(dataDir, cause);
      await rm(fresh, { recursive: true, force: true });
      throw full ?? cause;
    }
    await rename(fresh, folder);
  }
  checkControlFolder(folder);
  try {
    return await PGlite.create({
      dataDir: folder,
      startParams: [...PGlite.defaultStartParams, ...OWN_PARAMS],
    });
  } catch (cause) {
    if (findDiskTrouble(cause) !== undefined) throw cause;
    throw (await findFullDisk(dataDir, cause)) ?? buildUnusableControlError(folder, cause);
  }
}

/** PGlite cannot start with less free space than two pages of PostgreSQL, which have 8 kB each. */
const MIN_FREE_BYTES = 16 * 1024;

/**
 * Returns the error for a full disk if the disk has no space left. PGlite's own errors do not mention the disk, and a store that cannot be
 * opened would seem to be damaged.
 */
async function findFullDisk(dataDir: string, cause: unknown): Promise<Error | undefined> {
  const { freeBytes } = await readDiskSpace(dataDir);
  return freeBytes < MIN_FREE_BYTES ? buildDiskFullError(dataDir, cause) : undefined;
}

function createServedStore(url: string): ControlStore {
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
