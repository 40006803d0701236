import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, routes } from '@throughline/contract';
import { findFreePort } from '@throughline/testkit/free-port';
import { readPeakMemory, readProcessCpuSeconds } from '../../lib/process-cost.ts';
import { launchServer } from '../../lib/server-process.ts';
import type { Target } from '../form.ts';
import { endWithThis, removeWithThis } from './end-with-this.ts';

/** The attacked server. It has a process and a folder of its own. */
export interface Victim {
  readonly url: string;
  readonly pid: number;
  /** The API key of the project that is not attacked. */
  readonly otherKey: string;
  /** Creates an account with a project. */
  newTarget(): Promise<Target>;
  /** User and system CPU time since the server started. */
  cpuSeconds(): number;
  /** Peak memory of the server process. */
  peakMemoryBytes(): number;
  /** The exit code or the signal that ended the server; undefined while it runs. */
  ended(): string | undefined;
  /** True if the server responds quickly to its health check. */
  isLive(): Promise<boolean>;
  /** Counts the traces of the project that is not attacked, through the API. */
  countOthers(): Promise<number>;
  /** Kills the server, as a crash would, and starts it again on the same folder. */
  restart(): Promise<void>;
  /** Ends the server and deletes its folder. */
  remove(): Promise<void>;
}

const CALL_WITHIN_MS = 30_000;
const LIVE_WITHIN_MS = 300;
const EXIT_WITHIN_MS = 10_000;

type Launched = Awaited<ReturnType<typeof launchServer>>;

export async function startVictim(): Promise<Victim> {
  const dataDir = await mkdtemp(join(tmpdir(), 'throughline-bounds-'));
  removeWithThis(dataDir);
  const grpcPort = await findFreePort();
  const env = { OTLP_GRPC_PORT: String(grpcPort), LOG_LEVEL: 'fatal' };
  const launch = async () => {
    const launched = await launchServer(dataDir, [], { env, silent: true });
    endWithThis(launched.child);
    return launched;
  };
  let running: Launched = await launch();
  const other = await newAccount(running.url, 'other', grpcPort);
  return {
    get url() {
      return running.url;
    },
    get pid() {
      return running.child.pid ?? 0;
    },
    otherKey: other.apiKey,
    newTarget: () => newAccount(running.url, 'hostile', grpcPort),
    cpuSeconds() {
      try {
        return readProcessCpuSeconds(running.child.pid);
      } catch {
        // The process exited before its file in `/proc` was read.
        return 0;
      }
    },
    peakMemoryBytes: () => readPeakMemory(running.child.pid),
    ended: () => describeEnd(running.child),
    isLive: () =>
      fetch(`${running.url}/api/health/live`, { signal: AbortSignal.timeout(LIVE_WITHIN_MS) })
        .then(({ ok }) => ok)
        .catch(() => false),
    async countOthers() {
      const owner = createBoundedClient(running.url, other.token);
      const query = { projectId: other.projectId, limit: 1 };
      const { total } = await owner.call(routes.traces.list, { query });
      return total;
    },
    async restart() {
      await killed(running);
      running = await launch();
    },
    async remove() {
      await killed(running);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function killed({ child, kill }: Launched): Promise<void> {
  if (describeEnd(child) !== undefined) return;
  await Promise.race([kill(), sleep(EXIT_WITHIN_MS)]);
}

function describeEnd(child: ChildProcess): string | undefined {
  return child.signalCode ?? (child.exitCode === null ? undefined : `exit ${child.exitCode}`);
}

function createBoundedClient(baseUrl: string, token: string | null) {
  const bounded: typeof fetch = (input, init) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(CALL_WITHIN_MS) });
  return createClient({ baseUrl, fetch: bounded, token: () => token });
}

let accounts = 0;

/**
 * Creates an organization on the largest plan, with a project. Each hostile input has its own organization, so an input that uses up its
 * monthly quota does not affect other inputs.
 */
async function newAccount(url: string, name: string, grpcPort: number): Promise<Target> {
  accounts += 1;
  const unique = `${name}-${accounts}-${process.pid}`;
  const email = `${unique}@example.com`;
  const { token, organization } = await createBoundedClient(url, null).call(
    routes.auth.registerOrganization,
    {
      body: { name, email, password: 'correct horse', organizationName: unique, organizationSlug: unique },
    },
  );
  const owner = createBoundedClient(url, token);
  const params = { id: organization?.id ?? '' };
  await owner.call(routes.billing.changeOrganizationPlan, { params, body: { plan: 'enterprise_plus' } });
  const { project } = await owner.call(routes.projects.create, { body: { name } });
  const { apiKey } = await owner.call(routes.projects.apiKey, { params: { id: project.id } });
  return { url, grpcPort, apiKey, token, projectId: project.id, email };
}
