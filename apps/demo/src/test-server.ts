import { once } from 'node:events';
import { createServer } from 'node:http';
import { createApp } from './app.ts';
import type { Database } from './database/database.ts';
import { openDatabase } from './database/open.ts';
import { createTrafficControl } from './traffic/control.ts';
import { TrafficMaker } from './traffic/maker.ts';
import { ShopClient } from './traffic/shop-client.ts';

export interface TestServer {
  readonly url: string;
  readonly database: Database;
  /** Creates a visitor who does not wait between requests. */
  visitor(): ShopClient;
  stop(): Promise<void>;
}

/** Starts the complete shop in this process, on a free port, with its own database. */
export async function startTestServer(): Promise<TestServer> {
  const database = await openDatabase();
  const traffic = new TrafficMaker();
  let url = '';
  const server = createServer(
    createApp(
      database,
      createTrafficControl(traffic, () => url),
    ),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://127.0.0.1:${address.port}`;
  const { signal } = new AbortController();
  return {
    url,
    database,
    visitor: () => new ShopClient({ baseUrl: url, userAgent: 'test', pace: async () => {}, signal }),
    async stop() {
      traffic.stop();
      server.close();
      server.closeAllConnections();
      await database.close();
    },
  };
}
