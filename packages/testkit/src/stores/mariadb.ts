import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../process/free-port.ts';
import { untilReady } from '../process/service-process.ts';

const run = promisify(execFile);

/** A real MariaDB server for one test. */
export interface TestMariaDb {
  /** Creates an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

interface Programs {
  readonly server: string;
  readonly install: string;
  readonly client: string;
}

/** Starts the MariaDB of this machine with a data folder of its own. Returns undefined if MariaDB is not installed. */
export async function startMariaDb(): Promise<TestMariaDb | undefined> {
  const programs = findPrograms();
  if (programs === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'throughline-mariadb-'));
  // If the tests run as root, MariaDB runs as the user of its package, who needs access to the folder.
  await chmod(folder, 0o777);
  const data = join(folder, 'data');
  const env = { ...process.env, TMPDIR: folder };
  const user = process.getuid?.() === 0 ? ['--user=mysql'] : [];
  await run(
    programs.install,
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...user,
    ],
    { env },
  );
  const port = await findFreePort();
  const query = (sql: string) =>
    run(programs.client, ['--no-defaults', '--host=127.0.0.1', `--port=${port}`, '--user=root', '-e', sql]);
  const server = spawn(
    programs.server,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${join(data, 'socket')}`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      '--character-set-server=utf8mb4',
      // Turns durability off, because no test needs the data after a crash of the server.
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-flush-method=nosync',
      ...user,
    ],
    { env, stdio: 'ignore' },
  );
  const stop = async () => {
    await end(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(server, 'MariaDB', () => succeeds(query('SELECT 1')));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async createDatabase(name) {
      await query(`CREATE DATABASE \`${name}\``);
      return `mysql://root@127.0.0.1:${port}/${name}`;
    },
    stop,
  };
}

function findPrograms(): Programs | undefined {
  const server = findProgram('mariadbd');
  const install = findProgram('mariadb-install-db');
  const client = findProgram('mariadb');
  return server === undefined || install === undefined || client === undefined
    ? undefined
    : { server, install, client };
}

/**
 * Returns the path of a program. Also searches the folders of server programs, because the PATH of a user who is not root often lacks them.
 */
function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
