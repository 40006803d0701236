import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const fixtures = join(import.meta.dirname, '..', 'fixtures');
const built = join(import.meta.dirname, '..', '..', 'packages', 'sdk', 'dist', 'index.cjs');

/** The Node executable that runs the apps: the one that runs the tests, unless `INTEGRATIONS_NODE` names another. */
export const appNode: string = process.env.INTEGRATIONS_NODE ?? process.execPath;
export const appNodeVersion: string = execFileSync(appNode, ['-p', 'process.versions.node'], {
  encoding: 'utf8',
}).trim();
/** True if this Node can run TypeScript without a compiler. Checks only the major version, although Node before 22.18 needs a flag. */
export const stripsTypes = Number.parseInt(appNodeVersion, 10) >= 22;

export const apiKey = `tl_${'k'.repeat(40)}`;

export interface AppOptions {
  /** URL that receives the traces; undefined runs the app without the SDK. */
  readonly collector: string | undefined;
  /** Flags for Node, before the script. */
  readonly flags?: readonly string[];
  /** Arguments for the script. */
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The working directory; the script's folder if not set. */
  readonly cwd?: string;
}

/** An app's exit code, signal and output. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A small real app in a process of its own. It prints `listening PORT` when it is ready. The script is an absolute path, or a path below
 * fixtures.
 */
export class App {
  readonly child: ChildProcess;
  readonly ended: Promise<End>;
  #stdout = '';
  #stderr = '';

  constructor(script: string, options: AppOptions) {
    if (!existsSync(built)) throw new Error('the SDK is not built: npm run build');
    const ahead =
      options.collector === undefined ? [] : (options.flags ?? ['--import', '@throughline/node/auto']);
    const file = resolve(fixtures, script);
    this.child = spawn(appNode, [...ahead, file, ...(options.args ?? [])], {
      cwd: options.cwd ?? join(file, '..'),
      env: {
        PATH: process.env.PATH,
        ...(options.collector !== undefined && {
          THROUGHLINE_API_KEY: apiKey,
          THROUGHLINE_URL: options.collector,
        }),
        // With a low CPU budget, values would be missing on a busy machine.
        THROUGHLINE_CPU_BUDGET: '100',
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (text: Buffer) => {
      this.#stdout += text.toString();
    });
    this.child.stderr?.on('data', (text: Buffer) => {
      this.#stderr += text.toString();
    });
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) =>
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr }),
      );
    });
  }

  /** Waits until the app listens, and returns its URL. */
  async ready(): Promise<string> {
    for (;;) {
      const [, port] = /listening (\d+)/.exec(this.#stdout) ?? [];
      if (port !== undefined) return `http://127.0.0.1:${port}`;
      if (this.child.exitCode !== null) throw new Error(`the app ended: ${this.#stdout}${this.#stderr}`);
      await new Promise((wait) => setTimeout(wait, 10));
    }
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Stops the app if it still runs, and waits until it has ended. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<End> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.ended;
  }
}
