import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { startPostgres } from './postgres.ts';

/** Where the tests' servers make their databases; unset, each has a PGlite of its own. */
const VARIABLE = 'TEST_POSTGRES_URL';

/** A global setup for tests that are to run on a real PostgreSQL, each server on a database of its own. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres();
  process.env[VARIABLE] = await server.createDatabase('first');
  return async () => {
    Reflect.deleteProperty(process.env, VARIABLE);
    await server.stop();
  };
}

/** What a server in these tests is started with: nothing, or an empty database and the secret that it then needs. */
export async function controlStoreSettings(): Promise<Readonly<Record<string, string>>> {
  const first = process.env[VARIABLE];
  if (first === undefined) return {};
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = postgres(first, { max: 1, onnotice: () => {} });
  try {
    await client.unsafe(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(first);
  url.pathname = `/${name}`;
  return { DATABASE_URL: url.href, SECRET_KEY: randomBytes(32).toString('base64') };
}
