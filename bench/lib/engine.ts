import { join } from 'node:path';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { drainPending } from 'chdb';
import { createChdbConnection } from 'chdb/connection';

/** Opens the trace store in a folder that no other process has open, without changing its schema, and closes it afterwards. */
export async function withEngine<T>(
  dataDir: string,
  use: (client: ClickHouseClient) => Promise<T>,
): Promise<T> {
  // chdb's types contain a copy of the client's types, so the two are not assignable.
  const connection: unknown = createChdbConnection({ path: join(dataDir, 'traces') });
  const client = createClient({ connection: connection as never });
  try {
    return await use(client);
  } finally {
    await client.close();
    // A process can have only one folder open at a time, and the next call can open another folder.
    await drainPending();
  }
}
