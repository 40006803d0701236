import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareProgram } from './foreign-programs.ts';

/** An OpenTelemetry Collector in a separate process. */
export interface OtelCollector {
  /** URL at which the Collector accepts OTLP over HTTP. */
  readonly url: string;
  readonly child: ChildProcess;
  /** Stops the Collector after it has sent its remaining data. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Name and settings of the exporter in the Collector's configuration. The name is `otlp_http` or `file`. */
export interface CollectorExporter {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Starts a Collector that accepts OTLP over HTTP with its default batching. Returns `missing` if the Collector is not available on this
 * machine.
 * @throws Error if the Collector exits before it is ready
 */
export async function startOtelCollector(
  exporter: CollectorExporter,
  options: { readonly mayFetch: boolean },
): Promise<OtelCollector | { readonly missing: string }> {
  const folder = join(import.meta.dirname, '../..', 'otel-collector');
  const program = await prepareProgram({ folder, language: 'go', mayFetch: options.mayFetch });
  if ('missing' in program) return program;
  const place = await mkdtemp(join(tmpdir(), 'throughline-collector-'));
  const config = join(place, 'config.yaml');
  // Writes JSON, which is valid YAML.
  await writeFile(config, JSON.stringify(settingsFor(exporter)));
  const child = spawn(program.command, ['--config', `file:${config}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit').finally(() => rm(place, { recursive: true, force: true }));
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    await ended;
  };
  return {
    url: await readyUrl(child),
    child,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

function settingsFor({ name, settings }: CollectorExporter): object {
  return {
    receivers: { otlp: { protocols: { http: { endpoint: '127.0.0.1:0' } } } },
    processors: { batch: { timeout: '200ms' } },
    exporters: { [name]: settings },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: { receivers: ['otlp'], processors: ['batch'], exporters: [name] } },
    },
  };
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const address = /Starting HTTP server.*"endpoint": "([^"]+)"/.exec(said)?.[1];
      if (address !== undefined && said.includes('Everything is ready')) resolve(`http://${address}`);
    });
    child.once('exit', (code) => reject(new Error(`the Collector ended with ${code}: ${said}`)));
  });
}
