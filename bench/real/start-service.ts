import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@throughline/testkit/free-port';
import { responds, ServiceProcess } from '@throughline/testkit/service-process';
import { readProcessCpuSeconds } from '../lib/process-cost.ts';
import type { Mode, Outlet } from '../sdk/modes.ts';
import { ask } from './load.ts';
import type { Service } from './services.ts';

/** Path of the SDK. The services are outside the workspace and cannot find its packages by name. */
const sdk = join(import.meta.dirname, '..', '..', 'packages', 'sdk', 'dist', 'auto.mjs');

export interface StartedService {
  readonly address: string;
  /** CPU time (user and system) in microseconds since the process started. */
  readonly cpuMicros: number;
  stop(): Promise<void>;
}

/** Starts the service on a free port and sends its setup requests. `folder` contains the services. */
export async function startService(
  service: Service,
  mode: Mode,
  outlet: Outlet,
  folder: string,
  nodeFlags: readonly string[] = [],
): Promise<StartedService> {
  const port = await findFreePort();
  const address = `http://127.0.0.1:${port}`;
  const flags = mode.flags.map((flag) => (flag === '@throughline/node/auto' ? sdk : flag));
  const running = await ServiceProcess.start({
    name: service.name,
    node: process.execPath,
    args: [...nodeFlags, ...flags, join(folder, service.script), ...service.args(port)],
    folder: mkdtempSync(join(tmpdir(), 'throughline-bench-real-')),
    files: service.files,
    env: mode.env(outlet),
    stdio: ['ignore', process.env.BENCH_REAL_STDERR === undefined ? 'ignore' : 'inherit'],
    isReady: () => responds(address),
  });
  try {
    for (const request of service.setup) await ask(address, request);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return {
    address,
    get cpuMicros() {
      return readProcessCpuSeconds(running.pid) * 1e6;
    },
    stop: () => running.stop(),
  };
}
