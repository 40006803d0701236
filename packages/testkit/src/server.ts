import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@throughline/contract';
import { type App, createApp } from 'throughline';
import { type Clock, systemClock } from 'throughline/clock';
import { type Config, readConfig } from 'throughline/config';
import { createLog } from 'throughline/log';
import { createCheckedClient } from './people/client.ts';
import { dropStores, putStores, storeSettings } from './stores/stores-folder.ts';

/**
 * A complete server in this process, with a folder of its own and a free port. A process can have only one server, because the trace store
 * can be opened only once.
 */
export interface TestServer {
  /** Without a trailing slash. */
  readonly url: string;
  readonly dataDir: string;
  /** The configuration, including the locations of the stores. */
  readonly config: Config;
  readonly app: App;
  /** A client without a session. */
  readonly anyone: Client;
  /** Creates a client with a session's token. */
  as(token: string): Client;
  /** Stops the server and removes its folder and its stores. */
  stop(): Promise<void>;
}

export interface TestServerOptions {
  readonly clock?: Clock;
  /**
   * Settings that are added to the defaults or replace them. The defaults are a free port, a temporary folder, no rate limits, and only
   * errors in the log.
   */
  readonly env?: Readonly<Record<string, string>>;
  readonly demo?: boolean;
}

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'throughline-test-'));
  await putStores(dataDir);
  const config = readConfig(
    { production: false, demo: options.demo === true },
    {
      PORT: '0',
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      ...storeSettings(dataDir),
      ...options.env,
    },
  );
  const app = await createApp(config, {
    clock: options.clock ?? systemClock,
    log: createLog(config.logLevel),
  });
  const url = await app.listen();
  return {
    url,
    dataDir,
    config,
    app,
    anyone: createCheckedClient(url, () => null),
    as: (token) => createCheckedClient(url, () => token),
    async stop() {
      await app.stop();
      await dropStores(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
