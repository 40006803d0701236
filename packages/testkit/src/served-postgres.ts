import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests' servers make their databases; undefined, each has a PGlite of its own. */
    postgresUrl: string | undefined;
  }
}

/** A global setup for tests that are to run on a real PostgreSQL, each server on a database of its own. Of this project alone. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('postgresUrl', await server.createDatabase('first'));
  return () => server.stop();
}

/** What a server in these tests is started with: nothing, or an empty database and the secret that it then needs. */
export async function controlStoreSettings(): Promise<Readonly<Record<string, string>>> {
  const first = inject('postgresUrl');
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
