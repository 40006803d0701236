import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { readConfig } from 'throughline/config';
import { openStores } from 'throughline/stores';
import { inject } from 'vitest';
import { putTraceStore } from './stores-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests' servers make their databases; undefined, each has a PGlite of its own. */
    postgresUrl: string | undefined;
  }
}

/** What a server in these tests is started with: nothing, or a database with all tables and no rows, and the secret that it then needs. */
export async function controlStoreSettings(): Promise<Readonly<Record<string, string>>> {
  const first = inject('postgresUrl');
  if (first === undefined) return {};
  const name = `test_${randomBytes(8).toString('hex')}`;
  const at = (database: string) => Object.assign(new URL(first), { pathname: `/${database}` }).href;
  const client = postgres(first, { max: 1, onnotice: () => {} });
  try {
    await makeTemplate(client, at);
    await client.unsafe(`create database ${name} template ${TEMPLATE}`);
  } finally {
    await client.end();
  }
  return settingsOf(at(name));
}

function settingsOf(url: string): { readonly DATABASE_URL: string; readonly SECRET_KEY: string } {
  return { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('base64') };
}

const TEMPLATE = 'with_tables';
/** Any number: test processes make the template one after the other. */
const TEMPLATE_LOCK = 1;

/** Makes the database that all others are copied from, where it is not there: its tables once, not for each server. */
async function makeTemplate(client: Sql, at: (database: string) => string): Promise<void> {
  await client`select pg_advisory_lock(${TEMPLATE_LOCK})`;
  const found = await client`select from pg_database where datname = ${TEMPLATE}`;
  if (found.length === 0) {
    const dataDir = await mkdtemp(join(tmpdir(), 'throughline-template-'));
    await putTraceStore(dataDir);
    await client.unsafe('create database making');
    const config = { DATA_DIR: dataDir, ...settingsOf(at('making')) };
    await (await openStores(readConfig({ production: false, demo: false }, config))).close();
    await client.unsafe(`alter database making rename to ${TEMPLATE}`);
    await rm(dataDir, { recursive: true, force: true });
  }
  await client`select pg_advisory_unlock(${TEMPLATE_LOCK})`;
}
