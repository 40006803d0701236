import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@throughline/testkit/free-port';
import { readProcessCpuSeconds } from '../lib/process-cost.ts';
import type { Mode, Outlet } from '../sdk/modes.ts';
import { ask } from './load.ts';
import type { Service } from './services.ts';

const startMs = 60_000;
const endMs = 10_000;
/** The services are outside the workspace and cannot resolve its packages, so the SDK is loaded by path. */
const sdk = join(import.meta.dirname, '..', '..', 'packages', 'sdk', 'dist', 'auto.mjs');

/** A service in its own process, on a free port, with its own working directory. */
export class ServiceProcess {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly address: string;

  private constructor(child: ChildProcess, folder: string, address: string) {
    this.#child = child;
    this.#folder = folder;
    this.address = address;
  }

  /** Starts the service and sends its setup requests. `folder` contains the services. */
  static async start(
    service: Service,
    mode: Mode,
    outlet: Outlet,
    folder: string,
    nodeFlags: readonly string[] = [],
  ): Promise<ServiceProcess> {
    const port = await findFreePort();
    const workingFolder = mkdtempSync(join(tmpdir(), 'throughline-bench-real-'));
    for (const [name, text] of Object.entries(service.files ?? {}))
      writeFileSync(join(workingFolder, name), text);
    const flags = mode.flags.map((flag) => (flag === '@throughline/node/auto' ? sdk : flag));
    const script = join(folder, service.script);
    const child = spawn(process.execPath, [...nodeFlags, ...flags, script, ...service.args(port)], {
      cwd: workingFolder,
      env: { PATH: process.env.PATH, HOME: workingFolder, NODE_ENV: 'production', ...mode.env(outlet) },
      stdio: ['ignore', 'ignore', process.env.BENCH_REAL_STDERR === undefined ? 'ignore' : 'inherit'],
    });
    const started = new ServiceProcess(child, workingFolder, `http://127.0.0.1:${port}`);
    try {
      await untilAnswering(child, started.address, service.name);
      for (const request of service.setup) await ask(started.address, request);
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  /** User and system CPU time since the process started, in microseconds. */
  get cpuMicros(): number {
    return readProcessCpuSeconds(this.#child.pid) * 1e6;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const gone = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGTERM');
      const late = setTimeout(() => this.#child.kill('SIGKILL'), endMs);
      await gone;
      clearTimeout(late);
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Waits until a service responds to any request. Rejects if the process exits first, or after a timeout. */
export async function untilAnswering(child: ChildProcess, address: string, name: string): Promise<void> {
  const until = performance.now() + startMs;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    const answered = await fetch(address).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    );
    if (answered !== undefined) return;
    await new Promise((wait) => setTimeout(wait, 100));
  }
  throw new Error(`${name} did not answer within ${startMs / 1000} s`);
}
