import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startOtelCollector } from '@throughline/testkit/otel-collector';
import { z } from 'zod';
import type { OtlpTarget } from '../ingest/otlp-sender.ts';
import { readProcessCpuSeconds } from '../lib/process-cost.ts';
import { startServerProcess } from '../lib/server-process.ts';
import { readSpanCounts } from '../lib/stored-traces.ts';
import { jaegerProgram } from './jaeger-program.ts';

/** A program that receives and stores spans, in its own process on an empty folder. */
export interface OtlpReceiver extends OtlpTarget {
  cpuSeconds(): number;
  /** Kills the process, as a crash would. */
  kill(): Promise<void>;
  /** Counts the distinct stored spans of each given trace id. Called after the process has ended. */
  countSpans(traceIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  removeFolder(): Promise<void>;
}

export interface ReceiverKind {
  readonly name: string;
  /** Returns `missing` with a reason if the receiver is not available on this machine. */
  start(): Promise<OtlpReceiver | { readonly missing: string }>;
}

/** This product and the receivers that it is compared with. */
export function receiverKinds(options: { readonly mayBuild: boolean }): readonly ReceiverKind[] {
  return [
    { name: 'Throughline', start: startOurs },
    { name: 'OpenTelemetry Collector to file', start: () => startCollector(options.mayBuild) },
    { name: 'Jaeger v2 with badger', start: () => startJaeger(options) },
  ];
}

async function startOurs(): Promise<OtlpReceiver> {
  const server = await startServerProcess();
  const { url, apiKey, cpuSeconds, kill, removeFolder, dataDir } = server;
  return { url, apiKey, cpuSeconds, kill, removeFolder, countSpans: () => readSpanCounts(dataDir) };
}

/** A line in the Collector's output file, in OTLP's JSON format. */
const Line = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({ spans: z.array(z.object({ traceId: z.string(), spanId: z.string() })) }),
      ),
    }),
  ),
});

async function startCollector(mayFetch: boolean): Promise<OtlpReceiver | { readonly missing: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-collected-'));
  const path = join(folder, 'spans.json');
  const collector = await startOtelCollector({ name: 'file', settings: { path } }, { mayFetch });
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  if ('missing' in collector) {
    await removeFolder();
    return collector;
  }
  return {
    url: collector.url,
    cpuSeconds: () => readProcessCpuSeconds(collector.child.pid),
    kill: collector.kill,
    countSpans: () => countLines(path),
    removeFolder,
  };
}

async function countLines(path: string): Promise<ReadonlyMap<string, number>> {
  const spans = new Map<string, Set<string>>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const read = Line.safeParse(parsed(line));
    if (!read.success) continue;
    for (const { traceId, spanId } of read.data.resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    )) {
      spans.set(traceId, (spans.get(traceId) ?? new Set()).add(spanId));
    }
  }
  return new Map([...spans].map(([traceId, ids]) => [traceId, ids.size]));
}

/** Parses a line. Returns undefined if the line is incomplete. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function startJaeger(options: {
  readonly mayBuild: boolean;
}): Promise<OtlpReceiver | { readonly missing: string }> {
  const program = await jaegerProgram(options);
  if ('missing' in program) return program;
  const folder = await mkdtemp(join(tmpdir(), 'throughline-jaeger-'));
  const config = join(folder, 'config.yaml');
  // Writes JSON, which is valid YAML.
  await writeFile(config, JSON.stringify(jaegerSettings(folder)));
  const { child, url, kill } = await launchJaeger(program.path, config);
  return {
    url,
    cpuSeconds: () => readProcessCpuSeconds(child.pid),
    kill,
    async countSpans(traceIds) {
      const again = await launchJaeger(program.path, config);
      try {
        return await askJaeger(again.queryUrl, traceIds);
      } finally {
        await again.kill();
      }
    },
    removeFolder: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Settings of Jaeger with a badger store and free ports. */
function jaegerSettings(folder: string): object {
  const free = { endpoint: '127.0.0.1:0' };
  const directories = { keys: join(folder, 'keys'), values: join(folder, 'values') };
  return {
    extensions: {
      jaeger_storage: { backends: { spans: { badger: { directories, ephemeral: false } } } },
      jaeger_query: { storage: { traces: 'spans' }, http: free, grpc: free },
    },
    receivers: { otlp: { protocols: { http: free } } },
    processors: { batch: {} },
    exporters: { jaeger_storage_exporter: { trace_storage: 'spans' } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      extensions: ['jaeger_storage', 'jaeger_query'],
      pipelines: {
        traces: { receivers: ['otlp'], processors: ['batch'], exporters: ['jaeger_storage_exporter'] },
      },
    },
  };
}

async function launchJaeger(path: string, config: string) {
  const child = spawn(path, ['--config', `file:${config}`], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  const addresses = await readyAddresses(child);
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { child, kill, ...addresses };
}

function readyAddresses(child: ChildProcess): Promise<{ readonly url: string; readonly queryUrl: string }> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (said.includes('Everything is ready')) return;
      said += text;
      const receiver = /otlpreceiver.*Starting HTTP server.*"endpoint": "([^"]+)"/.exec(said)?.[1];
      const query = /Query server started.*"http_addr": "([^"]+)"/.exec(said)?.[1];
      if (receiver === undefined || query === undefined || !said.includes('Everything is ready')) return;
      resolve({ url: `http://${receiver}`, queryUrl: `http://${query}` });
    });
    child.once('exit', (code) => reject(new Error(`Jaeger ended with ${code}: ${said}`)));
  });
}

const Found = z.object({ data: z.array(z.object({ spans: z.array(z.object({ spanID: z.string() })) })) });

async function askJaeger(
  queryUrl: string,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const traceId of traceIds) {
    const answer = await fetch(`${queryUrl}/api/traces/${traceId}`);
    const body: unknown = await answer.json();
    if (answer.status === 404) continue;
    if (!answer.ok) throw new Error(`Jaeger answers ${answer.status} for a trace`);
    const [trace] = Found.parse(body).data;
    counts.set(traceId, new Set(trace?.spans.map(({ spanID }) => spanID)).size);
  }
  return counts;
}
