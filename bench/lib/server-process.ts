import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient, routes } from '@throughline/contract';
import { readPeakMemory, readProcessCpuSeconds } from './process-cost.ts';

const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));

/** The real server in a separate process, with an account, a project and its API key. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly apiKey: string;
  readonly projectId: string;
  /** Session token of the owner. */
  readonly token: string;
  /** Returns the CPU time in seconds (user and system) since the server's start. */
  cpuSeconds(): number;
  /** Returns the peak memory of the process in bytes. */
  peakMemoryBytes(): number;
  /** Stops the server and leaves its folder. */
  stop(): Promise<void>;
  /** Kills the process, as a crash would. */
  kill(): Promise<void>;
  /** Kills the server if it is still running after an error, and deletes its folder. */
  removeFolder(): Promise<void>;
}

export async function startServerProcess(nodeArgs: readonly string[] = []): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'throughline-bench-'));
  const { child, url, stop, kill } = await launchServer(dataDir, nodeArgs);
  const client = createClient({ baseUrl: url, fetch, token: () => null });
  const { token, organization } = await client.call(routes.auth.registerOrganization, {
    body: {
      name: 'Bench',
      email: 'bench@example.com',
      password: 'correct horse',
      organizationName: 'Bench',
      organizationSlug: 'bench',
    },
  });
  const owner = createClient({ baseUrl: url, fetch, token: () => token });
  // Chooses the plan with the most traces per month and the longest retention.
  const params = { id: organization?.id ?? '' };
  await owner.call(routes.billing.changeOrganizationPlan, { params, body: { plan: 'enterprise_plus' } });
  const { project } = await owner.call(routes.projects.create, { body: { name: 'bench' } });
  const { apiKey } = await owner.call(routes.projects.apiKey, { params: { id: project.id } });
  const { pid } = child;
  if (pid === undefined) throw new Error('the server has no process id');
  return {
    url,
    pid,
    dataDir,
    apiKey,
    projectId: project.id,
    token,
    cpuSeconds: () => readProcessCpuSeconds(pid),
    peakMemoryBytes: () => readPeakMemory(pid),
    stop,
    kill,
    async removeFolder() {
      await kill();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts the server on a folder, which can contain data of an earlier run. Resolves when the server is ready. */
export async function launchServer(
  dataDir: string,
  nodeArgs: readonly string[] = [],
  {
    env = {},
    silent = false,
  }: { readonly env?: Readonly<Record<string, string>>; readonly silent?: boolean } = {},
) {
  const usual = { PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [...nodeArgs, '--conditions=source', MAIN, 'serve'], {
    env: { ...process.env, ...usual, ...env },
    stdio: ['ignore', 'pipe', silent ? 'ignore' : 'inherit'],
  });
  const exited = once(child, 'exit');
  endWithThisProcess(child);
  const url = await readyUrl(child);
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    await exited;
  };
  return { child, url, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Kills the server when this process exits. Also listens for signals, because Node emits no `exit` event when a signal ends the process.
 */
function endWithThisProcess(child: ChildProcess): void {
  const onExit = () => void child.kill('SIGKILL');
  const onSignal = (signal: NodeJS.Signals) => {
    onExit();
    // The handler runs only once, so the same signal now ends this process.
    process.kill(process.pid, signal);
  };
  process.once('exit', onExit);
  for (const signal of SIGNALS) process.once(signal, onSignal);
  child.once('exit', () => {
    process.off('exit', onExit);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  });
}

const READY_WITHIN_MS = 120_000;

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the server was not ready within ${READY_WITHIN_MS / 1000} s: ${said}`));
    }, READY_WITHIN_MS);
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /ready at (\S+)/.exec(said)?.[1];
      if (url === undefined) return;
      clearTimeout(late);
      resolve(url);
    });
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`the server ended with ${code} before it was ready: ${said}`));
    });
  });
}
