import type { TestProject } from 'vitest/node';
import { startClickHouse } from './clickhouse.ts';
import { startPostgres } from './postgres.ts';

/**
 * A global setup for tests that use real database servers: PostgreSQL, and ClickHouse's engine in a separate process behind ClickHouse's
 * HTTP interface. Each test server gets its own databases. Only the tests of `project` get the URLs of the two database servers.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, clickhouse] = await Promise.all([startPostgres(), startClickHouse()]);
  project.provide('postgresUrl', await postgres.createDatabase('first'));
  project.provide('clickhouseUrl', clickhouse.url);
  return async () => {
    await Promise.all([postgres.stop(), clickhouse.stop()]);
  };
}
