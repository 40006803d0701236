import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js';
import { migrate as migratePostgres } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import * as schema from './schema.ts';

/** Queries in the PostgreSQL dialect, the same for both drivers; a transaction is one too. */
export type ControlDb = PgDatabase<PgQueryResultHKT, typeof schema>;

/** Accounts, organizations, projects and keys. */
export interface ControlStore {
  readonly db: ControlDb;
  /** Tells every server on this store, this one too. Channel names are in lower case. */
  notify(channel: string, payload: string): Promise<void>;
  /** `onListening` is also called after each reconnect, when notices may have been missed. Resolves once it listens. */
  listen(channel: string, onNotice: (payload: string) => void, onListening?: () => void): Promise<void>;
  /** Rejects when the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
/** Servers that start together migrate one after the other. Any number, the same in every version. */
const MIGRATION_LOCK = 7_218_643;

/** Opens the store and brings its tables up to date. */
export function openControlStore(config: {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
}): Promise<ControlStore> {
  return config.databaseUrl === undefined ? openEmbedded(config.dataDir) : openServed(config.databaseUrl);
}

async function openEmbedded(dataDir: string): Promise<ControlStore> {
  const client = await openPglite(dataDir);
  const db = drizzlePglite(client, { schema });
  await migratePglite(db, { migrationsFolder: MIGRATIONS });
  return {
    ...storeOn(db),
    async listen(channel, onNotice, onListening) {
      await client.listen(channel, onNotice);
      onListening?.();
    },
    close: () => client.close(),
  };
}

/** PGlite's first initialisation does not survive being killed, so it happens in a folder that counts only once it is renamed. */
async function openPglite(dataDir: string): Promise<PGlite> {
  await mkdir(dataDir, { recursive: true });
  const folder = join(dataDir, 'control');
  const entries = await readdir(dataDir);
  if (!entries.includes('control')) {
    for (const entry of entries) {
      if (entry.startsWith('control.new-')) await rm(join(dataDir, entry), { recursive: true, force: true });
    }
    const fresh = join(dataDir, `control.new-${process.pid}`);
    await (await PGlite.create({ dataDir: fresh })).close();
    await rename(fresh, folder);
  }
  return PGlite.create({ dataDir: folder });
}

async function openServed(url: string): Promise<ControlStore> {
  await migrateServed(url);
  const client = postgres(url, { onnotice: () => {} });
  return {
    ...storeOn(drizzlePostgres(client, { schema })),
    async listen(channel, onNotice, onListening) {
      await client.listen(channel, onNotice, onListening);
    },
    close: () => client.end({ timeout: 5 }),
  };
}

async function migrateServed(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await migratePostgres(drizzlePostgres(client), { migrationsFolder: MIGRATIONS });
  } finally {
    await client.end({ timeout: 5 });
  }
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
