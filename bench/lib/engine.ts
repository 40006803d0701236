import { join } from 'node:path';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { drainPending } from 'chdb';
import { createChdbConnection } from 'chdb/connection';

/**
 * Opens the trace store in a folder that no other process has open. Does not change the store's schema, and closes the store after `use`.
 */
export async function withEngine<T>(
  dataDir: string,
  use: (client: ClickHouseClient) => Promise<T>,
): Promise<T> {
  // chdb has its own copy of the client's types, so the two types are not assignable to each other.
  const connection: unknown = createChdbConnection({ path: join(dataDir, 'traces') });
  const client = createClient({ connection: connection as never });
  try {
    return await use(client);
  } finally {
    await client.close();
    // A process can open only one folder at a time, and the next call can be for another folder.
    await drainPending();
  }
}
