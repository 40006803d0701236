import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processEnv } from '../process/process-env.ts';

/** A ClickHouse server for one test: ClickHouse's engine in a process that provides its HTTP interface. */
export interface TestClickHouse {
  readonly url: string;
  /** Kills the server, so that connections fail. `comeBack` starts it again with all stored data. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Makes the server accept connections, but not respond until `thaw`, like a server whose disk hangs. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('./clickhouse-process.ts', import.meta.url));

export async function startClickHouse(): Promise<TestClickHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-clickhouse-'));
  const data = join(folder, 'data');
  let { child, port } = await begin(data, 0);
  const goAway = async () => {
    const over = once(child, 'exit');
    child.kill('SIGKILL');
    await over;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    goAway,
    async comeBack() {
      ({ child, port } = await begin(data, port));
    },
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) await goAway();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when the server accepts connections. Rejects with the server's output if it exits first. */
async function begin(
  data: string,
  wanted: number,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawn(process.execPath, ['--conditions=source', PROGRAM, data, String(wanted)], {
    // Each running statement occupies one of these threads; Node's default is four.
    env: { ...processEnv, UV_THREADPOOL_SIZE: '16' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let printed = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const over = once(child, 'exit').then(() => {
    throw new Error(`The engine ended before it was ready:\n${printed}`);
  });
  const [message]: { readonly port: number }[] = await Promise.race([once(child, 'message'), over]);
  if (message === undefined) throw new Error('The engine said that it is ready, and not where.');
  return { child, port: message.port };
}
