import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

/** A global setup for tests that are to run on a real PostgreSQL, each server on a database of its own. Of this project alone. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('postgresUrl', await server.createDatabase('first'));
  return () => server.stop();
}
