import { inject } from 'vitest';
import { copyStore } from './prepared-stores.ts';
import { type Database, makeClickHouseDatabase, makePostgresDatabase } from './served-databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** PostgreSQL server for the databases of test servers. If undefined, each test server uses a PGlite of its own. */
    postgresUrl: string | undefined;
    /** ClickHouse server for the traces of test servers. If undefined, each test server uses the embedded engine. */
    clickhouseUrl: string | undefined;
  }
}

/** Databases outside the data folder, by the data folder of the test server that uses them. */
const served = new Map<string, readonly Database[]>();

/**
 * Prepares both stores, with tables and no rows, for the server of a data folder. The stores are in the folder, or in databases of
 * PostgreSQL and ClickHouse if the tests use database servers.
 */
export async function putStores(dataDir: string): Promise<void> {
  const postgresUrl = inject('postgresUrl');
  const clickhouseUrl = inject('clickhouseUrl');
  const databases: Database[] = [];
  if (postgresUrl === undefined) await copyStore('control', dataDir);
  else databases.push(await makePostgresDatabase(postgresUrl));
  if (clickhouseUrl === undefined) await copyStore('traces', dataDir);
  else databases.push(await makeClickHouseDatabase(clickhouseUrl));
  served.set(dataDir, databases);
}

/** Returns the settings with which a server finds a data folder's stores. */
export function storeSettings(dataDir: string): Readonly<Record<string, string>> {
  return Object.assign({}, ...(served.get(dataDir) ?? []).map(({ settings }) => settings));
}

/** Drops the databases that belong to a data folder's server but are outside the folder. Does not remove the folder. */
export async function dropStores(dataDir: string): Promise<void> {
  for (const database of served.get(dataDir) ?? []) await database.drop();
  served.delete(dataDir);
}
