import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const fixtures = join(import.meta.dirname, '..', 'fixtures');
const built = join(import.meta.dirname, '..', '..', 'packages', 'sdk', 'dist', 'index.cjs');

/** The Node that the apps run on: the one of the tests, unless `INTEGRATIONS_NODE` names another's executable. */
export const appNode: string = process.env.INTEGRATIONS_NODE ?? process.execPath;
export const appNodeVersion: string = execFileSync(appNode, ['-p', 'process.versions.node'], {
  encoding: 'utf8',
}).trim();
/** True if this Node runs TypeScript without a compiler. */
export const stripsTypes = Number.parseInt(appNodeVersion, 10) >= 22;

export const apiKey = `tl_${'k'.repeat(40)}`;

export interface AppOptions {
  /** Where traces go; undefined runs the app without the SDK. */
  readonly collector: string | undefined;
  /** Flags for Node, before the script. */
  readonly flags?: readonly string[];
  /** For the script. */
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Else the script's folder. */
  readonly cwd?: string;
}

/** How an app ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A tiny real app in a process of its own, which prints `listening PORT` when it is ready. The script is a path below fixtures, or a whole one. */
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
        // A busy machine must not change the recorded values.
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

  /** The app's address, once it listens. */
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

  /** Ends the app, if it still runs, and waits for it. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<End> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.ended;
  }
}
