import { type ChildProcess, type StdioNull, type StdioPipe, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const START_MS = 90_000;
const END_MS = 20_000;
const MAX_OUTPUT = 20_000;

export interface ServiceStart {
  /** The service's name in error messages. */
  readonly name: string;
  /** Path of the Node executable that runs the service. */
  readonly node: string;
  /** Flags of Node, the script, and the service's arguments. */
  readonly args: readonly string[];
  /** Working directory. It is emptied before the service starts, and removed after the service has ended. */
  readonly folder: string;
  /** Files to write into the working directory, by name. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Environment variables in addition to PATH, HOME and NODE_ENV. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Streams for stdout and stderr. With `pipe`, the end of the output is kept in memory. */
  readonly stdio: readonly [StdioNull | StdioPipe, StdioNull | StdioPipe];
  /** True once the service is ready for requests. `output` is what the service has printed to the piped streams so far. */
  readonly isReady: (output: string) => Promise<boolean>;
}

/** A published service in its own process, with a working directory of its own. */
export class ServiceProcess {
  readonly pid: number | undefined;
  /** Time from the start until the service was ready. */
  readonly startMs: number;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #output: () => string;

  private constructor(child: ChildProcess, folder: string, startMs: number, output: () => string) {
    this.pid = child.pid;
    this.startMs = startMs;
    this.#child = child;
    this.#folder = folder;
    this.#output = output;
  }

  /** Resolves when the service is ready. Rejects if its process ends first, or after a timeout. */
  static async start({
    name,
    node,
    args,
    folder,
    files = {},
    env,
    stdio,
    isReady,
  }: ServiceStart): Promise<ServiceProcess> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    const begun = performance.now();
    const child = spawn(node, [...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, NODE_ENV: 'production', ...env },
      stdio: ['ignore', ...stdio],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => {
        text = (text + part.toString()).slice(-MAX_OUTPUT);
      });
    const output = () => text;
    try {
      await untilReady(child, name, () => isReady(text));
    } catch (cause) {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`${String(cause)}\n${text}`, { cause });
    }
    return new ServiceProcess(child, folder, performance.now() - begun, output);
  }

  /** The end of the service's output to stdout and stderr. Contains only the streams that are piped. */
  get output(): string {
    return this.#output();
  }

  /** Ends the service as a process manager does, and removes its working directory. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGTERM');
      const late = setTimeout(() => this.#child.kill('SIGKILL'), END_MS);
      await ended;
      clearTimeout(late);
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Calls `isReady` until it returns true. Rejects if the process ends first, or after a timeout. */
export async function untilReady(
  child: ChildProcess,
  name: string,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    if (await isReady()) return;
    await new Promise((wait) => setTimeout(wait, 25));
  }
  throw new Error(`${name} was not ready within ${START_MS / 1000} s`);
}

/** True if a service responds to a request, regardless of the response. */
export function responds(url: string): Promise<boolean> {
  return fetch(url).then(
    async (answer) => {
      await answer.arrayBuffer();
      return true;
    },
    () => false,
  );
}
