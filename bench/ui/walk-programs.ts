import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@throughline/testkit/free-port';
import { installPeers } from '../peers/install.ts';

const DEMO = fileURLToPath(new URL('../../apps/demo', import.meta.url));
const ZIPKIN_STARTS_WITHIN_MS = 120_000;

interface Program {
  stop(): Promise<void>;
}

/** Starts the demo shop as `npm start` does, with simulated visitors. The shop sends its traces to the given server. */
export function tracedShop(url: string, apiKey: string): Promise<Program> {
  return startShop(['--import', '@throughline/node/auto'], {
    THROUGHLINE_URL: url,
    THROUGHLINE_API_KEY: apiKey,
    THROUGHLINE_SERVICE: 'shop',
  });
}

/** Starts the demo shop with OpenTelemetry's automatic instrumentations, including the instrumentation of ES modules. */
export async function openTelemetryShop(zipkinUrl: string): Promise<Program> {
  const packages = join(await installPeers(), 'node_modules', '@opentelemetry');
  return startShop(
    [
      '--disable-warning=ExperimentalWarning',
      `--experimental-loader=${join(packages, 'instrumentation', 'hook.mjs')}`,
      `--require=${join(packages, 'auto-instrumentations-node', 'dist', 'register.cjs')}`,
    ],
    {
      OTEL_SERVICE_NAME: 'shop',
      OTEL_TRACES_EXPORTER: 'zipkin',
      OTEL_EXPORTER_ZIPKIN_ENDPOINT: `${zipkinUrl}/api/v2/spans`,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_NODE_RESOURCE_DETECTORS: 'env',
    },
  );
}

async function startShop(flags: readonly string[], env: Readonly<Record<string, string>>): Promise<Program> {
  const child = spawn(process.execPath, [...flags, 'src/main.ts'], {
    cwd: DEMO,
    env: { PATH: process.env.PATH, DEMO_PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // Waits until the process sends its address or exits.
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the shop ended with ${code}`);
    }),
  ]);
  return { stop: () => end(child) };
}

interface Zipkin extends Program {
  readonly url: string;
  /** Waits until a trace matches the query of tags. */
  untilFound(annotationQuery: string, withinMs: number): Promise<void>;
}

/** Starts Zipkin on a free port, with its in-memory store. */
export async function startZipkin(jar: string): Promise<Zipkin> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn('java', ['-Xmx512m', '-jar', jar], {
    env: { PATH: process.env.PATH, QUERY_PORT: String(port) },
    stdio: 'ignore',
  });
  const until = async (path: string, isThere: (answer: unknown) => boolean, withinMs: number) => {
    const limit = Date.now() + withinMs;
    while (Date.now() < limit && child.exitCode === null) {
      const answer = await fetch(url + path).then(
        (response) => response.json(),
        () => undefined,
      );
      if (isThere(answer)) return;
      await wait(250);
    }
    throw new Error(`Zipkin did not answer ${path}`);
  };
  await until('/api/v2/services', Array.isArray, ZIPKIN_STARTS_WITHIN_MS);
  return {
    url,
    untilFound: (annotationQuery, withinMs) =>
      until(
        `/api/v2/traces?annotationQuery=${encodeURIComponent(annotationQuery)}`,
        (answer) => Array.isArray(answer) && answer.length > 0,
        withinMs,
      ),
    stop: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
