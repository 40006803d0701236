import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes, type Trace, withReferred } from '@throughline/contract';
import { findFreePort } from '@throughline/testkit/free-port';
import { startMariaDb } from '@throughline/testkit/mariadb';
import { startPostgres } from '@throughline/testkit/postgres';
import type { Scene } from '@throughline/testkit/scene';
import { exchange, REQUEST_HEADER } from './exchange.ts';
import { explainUnsupportedNode, installService } from './install.ts';
import type { Answer, RealRequest, RealService } from './service.ts';
import { type StartOptions, startService } from './start-service.ts';

const STORED_MS = 60_000;

export interface Scenario {
  /** Requests that are sent one after the other. */
  readonly inTurn: readonly RealRequest[];
  /** Requests that are sent concurrently, after the requests in `inTurn`. Each contains its own marker; see {@link buildMarker}. */
  readonly overlapping: readonly RealRequest[];
}

/** Results of the same scenario without the SDK and with it. */
export interface Runs {
  readonly plain: readonly Answer[];
  readonly traced: readonly Answer[];
  readonly startMs: { readonly plain: number; readonly traced: number };
  /** Output of the service that ran with the SDK. */
  readonly output: string;
  /** The stored trace of each request, in the scenario's order. Undefined for a request without a stored trace. */
  readonly traces: readonly (Trace | undefined)[];
  /** Stored traces that belong to no request of the scenario. */
  readonly others: readonly Trace[];
}

/** Receives the traces of a run. */
export interface TraceStore {
  readonly url: string;
  readonly apiKey: string;
  /** Waits until `count` traces are stored, or for a minute. Returns all traces. */
  read(count: number): Promise<Trace[]>;
}

/** Matches a text of {@link buildMarker}, and captures its number. */
export const MARKER = /marker-(\d+)-end/g;

/** Returns a text that only one request contains. */
export function buildMarker(nth: number): string {
  return `marker-${nth}-end`;
}

/**
 * Runs a scenario on a service twice, without the SDK and with it, on the same port and in the same folder. Returns undefined if the
 * service cannot be installed.
 */
export async function runBoth(
  service: RealService,
  scenario: Scenario,
  store: TraceStore,
): Promise<Runs | undefined> {
  const installed = await installService(service);
  if (installed === undefined) return undefined;
  const unsupported = await explainUnsupportedNode(installed, service);
  if (unsupported !== undefined) {
    console.log(`${service.name}: skipped, since ${unsupported}`);
    return undefined;
  }
  const databases = await startDatabases(service);
  if (databases === undefined) {
    console.log(`${service.name}: skipped, since ${service.needsDatabase} is not installed`);
    return undefined;
  }
  const parent = mkdtempSync(join(tmpdir(), `throughline-real-${service.name}-`));
  const where = { installed, folder: join(parent, 'work'), port: await findFreePort() };
  try {
    const plain = await runOnce(service, scenario, {
      ...where,
      database: await databases.createDatabase('plain'),
      traced: undefined,
    });
    const traced = await runOnce(
      service,
      scenario,
      {
        ...where,
        database: await databases.createDatabase('traced'),
        traced: { THROUGHLINE_API_KEY: store.apiKey, THROUGHLINE_URL: store.url, ...SETTINGS },
      },
      (count) => store.read(count),
    );
    const stored = traced.traces.map(withAllReferred);
    const byRequest = new Map(stored.map((trace) => [trace.request.headers[REQUEST_HEADER], trace]));
    const traces = traced.answers.map((_, nth) => byRequest.get(`${nth}`));
    return {
      plain: plain.answers,
      traced: traced.answers,
      startMs: { plain: plain.startMs, traced: traced.startMs },
      output: traced.output,
      traces,
      others: stored.filter((trace) => !traces.includes(trace)),
    };
  } finally {
    await databases.stop();
    rmSync(parent, { recursive: true, force: true });
  }
}

interface Databases {
  /** Creates an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** Returns undefined if the machine does not have the database server. */
async function startDatabases({ needsDatabase }: RealService): Promise<Databases | undefined> {
  if (needsDatabase === 'PostgreSQL') return startPostgres();
  if (needsDatabase === 'MariaDB') return startMariaDb();
  return { createDatabase: async () => '', stop: async () => {} };
}

/** A high CPU budget, so that a busy machine does not change the recorded values. */
const SETTINGS = { THROUGHLINE_CPU_BUDGET: '100', THROUGHLINE_CACHE: 'false' };

interface OneRun {
  readonly answers: readonly Answer[];
  readonly traces: readonly Trace[];
  readonly startMs: number;
  readonly output: string;
}

async function runOnce(
  service: RealService,
  { inTurn, overlapping }: Scenario,
  options: StartOptions,
  /** Reads the traces while the service still runs, since a stopped service has only a second to send the last traces. */
  read: (count: number) => Promise<Trace[]> = async () => [],
): Promise<OneRun> {
  const running = await startService(service, options);
  try {
    const answers: Answer[] = [];
    for (const [nth, request] of inTurn.entries())
      answers.push(await exchange(options.port, `${nth}`, { ...request, ...request.adapt?.(answers) }));
    const together = await Promise.all(
      overlapping.map((request, nth) =>
        exchange(options.port, `${inTurn.length + nth}`, { ...request, ...request.adapt?.(answers) }),
      ),
    );
    answers.push(...together);
    const traces = await read(answers.length);
    return { answers, traces, startMs: running.startMs, output: running.output };
  } finally {
    await running.stop();
  }
}

/** Connects to the traces of a scene's project. */
export function connectStore({ person, project, server, read }: Scene): TraceStore {
  const query = { projectId: project.id, limit: 500 };
  return {
    url: server.url,
    apiKey: project.apiKey,
    async read(count) {
      const until = Date.now() + STORED_MS;
      for (;;) {
        const { traces } = await person.client.call(routes.traces.list, { query });
        if (traces.length >= count || Date.now() > until) {
          // Reads the traces one after the other, since the server refuses to read many large traces at once.
          const whole: Trace[] = [];
          for (const { _id } of traces) whole.push(await read(_id));
          return whole;
        }
        await new Promise((wait) => setTimeout(wait, 200));
      }
    },
  };
}

function withAllReferred(trace: Trace): Trace {
  const byId = new Map(trace.flow.map((step) => [step.stepId, step]));
  return { ...trace, flow: trace.flow.map((step) => withReferred(step, (id) => byId.get(id))) };
}
