import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface RunningProcess {
  readonly child: ChildProcess;
  /** Returns everything that the process has printed so far. */
  output(): string;
  /** Waits until the process prints a match. Rejects with the process's output if the process ends first or the wait takes too long. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends SIGTERM and waits until the process ends. Sends SIGKILL if it does not react. */
  stop(): Promise<void>;
}

const PRINT_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 20_000;

/** Starts a program and collects its output. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): RunningProcess {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  let ended = false;
  const over = once(child, 'close').then(() => {
    ended = true;
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  const failure = (what: string) => new Error(`${command} ${args.join(' ')} ${what}:\n${text}`);
  return {
    child,
    output: () => text,
    async printed(pattern) {
      const limit = Date.now() + PRINT_LIMIT_MS;
      for (;;) {
        const found = pattern.exec(text);
        if (found !== null) return found;
        if (ended) throw failure(`ended before it printed ${pattern}`);
        if (Date.now() > limit) throw failure(`did not print ${pattern}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async stop() {
      if (ended) return;
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await over;
      clearTimeout(kill);
    },
  };
}
