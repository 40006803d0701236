import { copyFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ServiceProcess } from '@throughline/testkit/service-process';
import { appNode } from '../../harness/app.ts';
import type { RealService } from './service.ts';

/** Path of the SDK. The services are outside the workspace and cannot find its packages by name. */
const sdk = join(import.meta.dirname, '..', '..', '..', 'packages', 'sdk', 'dist', 'auto.mjs');

export interface StartOptions {
  /** Folder of the service's own packages. */
  readonly installed: string;
  /** Working directory. It is created before the service starts, and removed after the service has ended. */
  readonly folder: string;
  readonly port: number;
  /** URL of an empty database; empty if the service needs none. */
  readonly database: string;
  /** Environment variables of the SDK; undefined runs the service without the SDK. */
  readonly traced: Readonly<Record<string, string>> | undefined;
}

export async function startService(
  service: RealService,
  { installed, folder, port, database, traced }: StartOptions,
): Promise<ServiceProcess> {
  for (const file of service.ownFiles ?? [])
    await copyFile(join(import.meta.dirname, '..', service.name, file), join(installed, file));
  const flags = traced === undefined ? [] : ['--import', sdk];
  return ServiceProcess.start({
    name: service.name,
    node: appNode,
    args: [...flags, join(installed, service.script), ...service.args(port)],
    folder,
    files: service.files,
    env: { ...service.env?.(port, database), ...traced },
    stdio: ['pipe', 'pipe'],
    isReady: async (output) => output.includes(service.printsWhenReady ?? '') && (await accepts(port)),
  });
}

/** True if the port accepts a connection. Sends no request, since a request would be traced. */
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
