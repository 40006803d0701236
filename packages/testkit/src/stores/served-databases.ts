import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { readConfig } from 'throughline/config';
import { openStores } from 'throughline/stores';
import { copyStore } from './prepared-stores.ts';

/** A test server's database, on a database server that many tests share. */
export interface Database {
  /** Settings with which a test server uses the database. */
  readonly settings: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

const newName = () => `test_${randomBytes(8).toString('hex')}`;

/** Creates an empty database. The test server creates its tables, as a server does at its first start. */
export async function makeClickHouseDatabase(url: string): Promise<Database> {
  const name = newName();
  await clickhouse(url, `CREATE DATABASE ${name}`);
  return {
    settings: { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: name },
    drop: () => clickhouse(url, `DROP DATABASE ${name} SYNC`),
  };
}

async function clickhouse(url: string, statement: string): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: statement });
  if (!answer.ok) throw new Error(await answer.text());
}

/**
 * Creates a database with all tables and no rows on the server of the URL `first`. The returned settings contain the database's URL and the
 * encryption secret that a server needs when it uses PostgreSQL.
 */
export async function makePostgresDatabase(first: string): Promise<Database> {
  const name = newName();
  const at = (database: string) => Object.assign(new URL(first), { pathname: `/${database}` }).href;
  await withPostgres(first, async (client) => {
    await makeTemplate(client, at);
    await client.unsafe(`create database ${name} template ${TEMPLATE}`);
  });
  return {
    settings: buildSettings(at(name)),
    // Closes connections that the test left open, and drops the database.
    drop: () =>
      withPostgres(first, async (client) => {
        await client.unsafe(`drop database ${name} with (force)`);
      }),
  };
}

async function withPostgres(url: string, use: (client: Sql) => Promise<void>): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

function buildSettings(url: string): { readonly DATABASE_URL: string; readonly SECRET_KEY: string } {
  return { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('base64') };
}

const TEMPLATE = 'with_tables';
/** An arbitrary lock number. Test processes wait for this lock, so that only one of them creates the template at a time. */
const TEMPLATE_LOCK = 1;

/**
 * Creates the database from which all other databases are copied, unless it exists. Thus the tables are created once, not for each server.
 */
async function makeTemplate(client: Sql, at: (database: string) => string): Promise<void> {
  await client`select pg_advisory_lock(${TEMPLATE_LOCK})`;
  const found = await client`select from pg_database where datname = ${TEMPLATE}`;
  if (found.length === 0) {
    const dataDir = await mkdtemp(join(tmpdir(), 'throughline-template-'));
    await copyStore('traces', dataDir);
    await client.unsafe('create database making');
    const config = { DATA_DIR: dataDir, ...buildSettings(at('making')) };
    await (await openStores(readConfig({ production: false, demo: false }, config))).close();
    await client.unsafe(`alter database making rename to ${TEMPLATE}`);
    await rm(dataDir, { recursive: true, force: true });
  }
  await client`select pg_advisory_unlock(${TEMPLATE_LOCK})`;
}
