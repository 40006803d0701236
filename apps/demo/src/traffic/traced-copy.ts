import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readFields } from '../input.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const START_LIMIT_MS = 30_000;
/** Time limit for stopping a copy, which is enough to send its last traces. */
const STOP_LIMIT_MS = 10_000;

/** The server and project to which a copy of the shop sends its traces. */
export interface Destination {
  readonly url: string;
  readonly apiKey: string;
}

export interface TracedCopy {
  readonly url: string;
  /** Stops the copy after its traces are sent. */
  stop(): Promise<void>;
}

/**
 * Starts a second shop on a free port with this process's flags. The second shop sends its traces to `destination`. Throws if the second
 * shop does not start.
 */
export async function startTracedCopy(destination: Destination): Promise<TracedCopy> {
  const child = spawn(process.execPath, [...process.execArgv, MAIN], {
    env: {
      ...process.env,
      DEMO_PORT: '0',
      DEMO_TRAFFIC: 'off',
      THROUGHLINE_URL: destination.url,
      THROUGHLINE_API_KEY: destination.apiKey,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    return { url: await waitUntilListening(child), stop: () => stop(child) };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

async function waitUntilListening(child: ChildProcess): Promise<string> {
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  const ended = once(child, 'exit', { signal: limit }).then(() => {
    throw new Error('the copy of the shop ended before it listened');
  });
  const ready = once(child, 'message', { signal: limit }).then(([message]) => readFields(message).url);
  const url: unknown = await Promise.race([ready, ended]);
  ended.catch(() => undefined);
  if (typeof url !== 'string') throw new Error('the copy of the shop did not say where it listens');
  return url;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const kill = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(kill);
}
