import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { storeSettings } from '../stores/stores-folder.ts';
import { processArgs, processEnv } from './process-env.ts';

export const MAIN = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));

/** A server in a separate process, run from its sources. For tests that need a real process, for example to kill it. */
export interface ServerProcess {
  readonly child: ChildProcess;
  /** Messages from the process to its parent. */
  readonly messages: unknown[];
  /** Returns the output so far. */
  output(): string;
  /** Resolves with the local URL when the server is ready; rejects with the output if the server exits first. */
  ready(): Promise<string>;
  /** Returns the server's exit code, or the name of the signal that ended it. */
  ended(): Promise<number | string>;
  kill(signal: NodeJS.Signals): Promise<number | string>;
}

export interface ServerProcessOptions {
  readonly dataDir: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export function spawnServer({ dataDir, args = [], env = {} }: ServerProcessOptions): ServerProcess {
  const child = spawn(process.execPath, [...processArgs, MAIN, 'serve', ...args], {
    env: { ...processEnv, DATA_DIR: dataDir, RATE_LIMITS: 'off', ...storeSettings(dataDir), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  const messages: unknown[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  child.on('message', (message) => messages.push(message));
  // Registered early, because the process can exit before `ended` is called. The child's 'close' event is not suitable: Node does not emit
  // it after a disconnect.
  const outputs = Promise.all([child.stdout, child.stderr].map((stream) => stream && once(stream, 'close')));
  const over = once(child, 'exit').then(async ([code, signal]): Promise<number | string> => {
    await outputs;
    return code ?? signal;
  });
  const address = () => / ready at (http\S+)/.exec(printed)?.[1];
  return {
    child,
    messages,
    output: () => printed,
    async ready() {
      let ended = false;
      void over.then(() => {
        ended = true;
      });
      while (address() === undefined) {
        if (ended) throw new Error(`The server ended before it was ready:\n${printed}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return address() ?? '';
    },
    ended: () => over,
    kill(signal) {
      child.kill(signal);
      return over;
    },
  };
}
