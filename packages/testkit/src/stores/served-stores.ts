import type { TestProject } from 'vitest/node';
import { startClickHouse } from './clickhouse.ts';
import { startPostgres } from './postgres.ts';

/**
 * A global setup for tests that are to run over the wire: on a real PostgreSQL, and on ClickHouse's engine in a process of its own behind
 * ClickHouse's HTTP interface; each server on databases of its own. Of this project alone.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, clickhouse] = await Promise.all([startPostgres(), startClickHouse()]);
  project.provide('postgresUrl', await postgres.createDatabase('first'));
  project.provide('clickhouseUrl', clickhouse.url);
  return async () => {
    await Promise.all([postgres.stop(), clickhouse.stop()]);
  };
}
