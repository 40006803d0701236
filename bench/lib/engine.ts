import { join } from 'node:path';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { drainPending } from 'chdb';
import { createChdbConnection } from 'chdb/connection';

/** Opens the trace store of a folder that nobody else has open, as it is, and closes it afterwards. */
export async function withEngine<T>(
  dataDir: string,
  use: (client: ClickHouseClient) => Promise<T>,
): Promise<T> {
  // chdb declares itself by a copy of the client's types.
  const connection: unknown = createChdbConnection({ path: join(dataDir, 'traces') });
  const client = createClient({ connection: connection as never });
  try {
    return await use(client);
  } finally {
    await client.close();
    // A process has one folder open at a time; the next one may be another.
    await drainPending();
  }
}
