import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { appNode } from '../../harness/app.ts';
import type { RealService } from './service.ts';

/** The services are outside the workspace and cannot resolve its packages, so the SDK is loaded by path. */
const sdk = join(import.meta.dirname, '..', '..', '..', 'packages', 'sdk', 'dist', 'auto.mjs');
const START_MS = 90_000;
const END_MS = 20_000;

export interface StartOptions {
  /** Folder of the service's own packages. */
  readonly installed: string;
  /** Working directory; created before the start and removed at the end. */
  readonly folder: string;
  readonly port: number;
  /** URL of an empty database; empty if the service needs none. */
  readonly database: string;
  /** Environment variables of the SDK; undefined runs the service without the SDK. */
  readonly traced: Readonly<Record<string, string>> | undefined;
}

/** A service in its own process. */
export class ServiceProcess {
  readonly port: number;
  readonly startMs: number;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #output: () => string;

  private constructor(
    child: ChildProcess,
    { port, folder }: StartOptions,
    startMs: number,
    output: () => string,
  ) {
    this.#child = child;
    this.#folder = folder;
    this.#output = output;
    this.port = port;
    this.startMs = startMs;
  }

  static async start(service: RealService, options: StartOptions): Promise<ServiceProcess> {
    const { folder, port, installed, traced } = options;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(service.files ?? {})) writeFileSync(join(folder, name), text);
    const flags = traced === undefined ? [] : ['--import', sdk];
    const begun = performance.now();
    const child = spawn(appNode, [...flags, join(installed, service.script), ...service.args(port)], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        NODE_ENV: 'production',
        ...service.env?.(port, options.database),
        ...traced,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => {
        text = (text + part.toString()).slice(-20_000);
      });
    const output = () => text;
    try {
      await untilListening(child, port, output);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    return new ServiceProcess(child, options, performance.now() - begun, output);
  }

  /** The last 20,000 characters of stdout and stderr. */
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

/** Connects without a request, since a request would be traced. */
async function untilListening(child: ChildProcess, port: number, output: () => string): Promise<void> {
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}:\n${output()}`);
    if (await accepts(port)) return;
    await new Promise((wait) => setTimeout(wait, 25));
  }
  throw new Error(`the service did not listen within ${START_MS / 1000} s:\n${output()}`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
