import { inject } from 'vitest';
import { copyStore } from './kept-stores.ts';
import { type Database, makeClickHouseDatabase, makePostgresDatabase } from './served-databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests' servers make their databases; undefined, each has a PGlite of its own. */
    postgresUrl: string | undefined;
    /** The same for traces; undefined, each has the engine in its process. */
    clickhouseUrl: string | undefined;
  }
}

/** The stores that are elsewhere, by the data folder of the server that has them. */
const served = new Map<string, readonly Database[]>();

/**
 * Gives the server of a data folder both stores, with tables and no rows: in the folder, or, where the tests run over the wire, databases of
 * its own in PostgreSQL and ClickHouse.
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

/** Settings with which a server finds the stores of a data folder. */
export function storeSettings(dataDir: string): Readonly<Record<string, string>> {
  return Object.assign({}, ...(served.get(dataDir) ?? []).map(({ settings }) => settings));
}

/** Removes what is elsewhere; the folder itself is its test's. */
export async function dropStores(dataDir: string): Promise<void> {
  for (const database of served.get(dataDir) ?? []) await database.drop();
  served.delete(dataDir);
}
