import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { endWithThis } from './end-with-this.ts';
import { type Command, WatchReport } from './watch-messages.ts';

const ANSWER_WITHIN_MS = 20_000;

/** The process that observes the server, and an idle server with which the server is compared. */
export interface Watch {
  /** Starts to observe a server with the other project's API key. Resets the count of acknowledged traces. */
  watch(server: { readonly url: string; readonly pid: number; readonly apiKey: string }): void;
  /** Stops observing the server. */
  rest(): void;
  begin(): void;
  report(): Promise<WatchReport>;
  stop(): void;
}

export async function startWatch(): Promise<Watch> {
  const watcher = start('watch-process.ts');
  const echo = start('echo-process.ts');
  const [port] = await once(echo, 'message', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  const tell = (command: Command) => void watcher.send(command);
  tell({ type: 'echo', url: `http://127.0.0.1:${z.number().parse(port)}/` });
  return {
    watch: (server) => tell({ type: 'watch', ...server }),
    rest: () => tell({ type: 'rest' }),
    begin: () => tell({ type: 'begin' }),
    async report() {
      const answered = once(watcher, 'message', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
      tell({ type: 'report' });
      return WatchReport.parse((await answered)[0]);
    },
    stop() {
      watcher.kill('SIGKILL');
      echo.kill('SIGKILL');
    },
  };
}

function start(program: string): ChildProcess {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = fork(path, {
    execArgv: ['--conditions=source'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  endWithThis(child);
  return child;
}
