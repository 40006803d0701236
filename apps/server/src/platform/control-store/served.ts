import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { buildEmptiedStoreError } from '../start/data-folder.ts';
import { runAlone } from './alone.ts';
import type { ControlDb, ControlStore } from './control-store.ts';
import { readControlMigrations, withMigrations } from './migrations.ts';
import { createNoticeListener } from './notice-listener.ts';
import * as schema from './tables/schema.ts';

/**
 * Key of the advisory lock that makes servers that start together migrate one after the other. An arbitrary number that must be the same in
 * every version.
 */
const MIGRATION_LOCK = 7_218_643;

/** Maximum wait for a connection before the caller gets an error. */
const MAX_WAIT_MS = 30_000;
/** Maximum time for running queries to end when the store closes. Queries that take longer are aborted. */
const DRAIN_MS = 5000;

/**
 * Opens a control store on a PostgreSQL server. Returns the database, and the members of the store whose implementation differs from that
 * of the embedded store.
 */
export function openServed(
  url: string,
): Pick<ControlStore, 'alone' | 'listen' | 'close'> & { readonly db: ControlDb } {
  const pool = new pg.Pool({
    ...parseUrl(url),
    connectionTimeoutMillis: MAX_WAIT_MS,
    idleTimeoutMillis: 60_000,
  });
  // Prevents an uncaught error that would end the process. The code that uses the lost connection receives the error, too.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = drizzle(pool, { schema });
  const transaction: typeof db.transaction = async (task, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client, { schema }).transaction(task, config);
    } finally {
      // Drizzle does not release the client if the connection was lost before the transaction's first statement.
      client.release();
    }
  };
  const served = Object.assign(db, { transaction });
  const listener = createNoticeListener(() => new pg.Client(parseUrl(url)));
  return {
    db: served,
    alone: (names, task) => runAlone(served, names, task),
    listen: listener.listen,
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref());
      await Promise.race([Promise.all([listener.close(), pool.end()]), late]);
    },
  };
}

/** Runs migrations of the control store or the trace store while no other server on this database runs any. */
export async function migrateAlone<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(parseUrl(url));
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await run(client);
  } finally {
    await client.end();
  }
}

/**
 * Applies all pending migrations, or only those up to `upTo`.
 * @throws ControlStoreTooNew, DamagedFolder
 */
export async function migrateServed(
  client: pg.Client,
  { upTo, used }: { readonly upTo: string | undefined; readonly used: boolean },
): Promise<void> {
  const db = drizzle(client, { schema });
  const { applied } = await readControlMigrations(db);
  if (used && applied === undefined) throw buildEmptiedStoreError('The database of DATABASE_URL', 'accounts');
  await withMigrations(upTo, (migrationsFolder) => migrate(db, { migrationsFolder }));
}

/**
 * Parses a database URL. `sslmode` means the same as for PostgreSQL's own programs: `require` encrypts, and
 * `verify-full` also verifies the server's identity.
 */
function parseUrl(url: string): pg.ClientConfig {
  const address = new URL(url);
  if (address.searchParams.has('sslmode')) address.searchParams.set('uselibpqcompat', 'true');
  return { connectionString: address.href, keepAlive: true, keepAliveInitialDelayMillis: 60_000 };
}
