import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { storeSettings } from '../stores/stores-folder.ts';
import { processArgs, processEnv } from './process-env.ts';

export const MAIN = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));

/** A server in a process of its own, from its sources: for what only a process can show, such as being killed. */
export interface ServerProcess {
  readonly child: ChildProcess;
  /** Messages of the process to its parent. */
  readonly messages: unknown[];
  /** The output so far. */
  output(): string;
  /** Resolves with the local address once it is ready; rejects with its output when it ends before. */
  ready(): Promise<string>;
  /** Its exit code, or the name of the signal that ended it. */
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
  // It may be over before anybody asks. Not the child's 'close': after a disconnect Node does not tell it.
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
