import { join } from 'node:path';

/** One way to run a fixture: what is loaded into its process. */
export interface Mode {
  readonly name: string;
  /** Node's flags, before the script. */
  readonly flags: readonly string[];
  env(collector: string): Readonly<Record<string, string>>;
  /** What must arrive: nothing, each request, each with a step a call, each step with its values. A round in which less arrives fails. */
  readonly sends: 'nothing' | 'requests' | 'steps' | 'values';
}

const ours = ['--import', '@throughline/node/auto'];
const key = `tl_${'b'.repeat(40)}`;
const throughline = (settings: Readonly<Record<string, string>>) => (collector: string) => ({
  THROUGHLINE_API_KEY: key,
  THROUGHLINE_URL: collector,
  ...settings,
});

/** Its batches are sent as often as ours, and its queue never overflows: a span that is dropped is work not done. */
const openTelemetry = (collector: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_METRICS_EXPORTER: 'none',
  OTEL_LOGS_EXPORTER: 'none',
  OTEL_SERVICE_NAME: 'bench',
  OTEL_BSP_SCHEDULE_DELAY: '500',
  OTEL_BSP_MAX_QUEUE_SIZE: '200000',
  OTEL_NODE_RESOURCE_DETECTORS: 'none',
});

export const modes = {
  none: { name: 'none', flags: [], env: () => ({}), sends: 'nothing' },
  idle: {
    name: 'idle',
    flags: ours,
    env: throughline({ THROUGHLINE_SAMPLE_RATE: '0' }),
    sends: 'nothing',
  },
  structure: {
    name: 'structure',
    flags: ours,
    env: throughline({ THROUGHLINE_CAPTURE: 'structure' }),
    sends: 'steps',
  },
  all: { name: 'all', flags: ours, env: throughline({}), sends: 'values' },
  otelHttp: {
    name: 'OpenTelemetry http',
    flags: ['--require', join(import.meta.dirname, 'fixtures', 'otel', 'http-only.cjs')],
    env: openTelemetry,
    sends: 'requests',
  },
  otelAuto: {
    name: 'OpenTelemetry auto',
    flags: ['--require', '@opentelemetry/auto-instrumentations-node/register'],
    env: openTelemetry,
    sends: 'requests',
  },
} satisfies Record<string, Mode>;

/** A server to put under load, and the request that it gets. */
export interface Fixture {
  readonly name: string;
  readonly script: string;
  readonly request: { readonly path: string; readonly method: string; readonly body?: string };
  /** Instrumented calls a request. */
  readonly calls: number;
}

export const fixtures = {
  orders: {
    name: 'express-orders',
    script: join(import.meta.dirname, 'fixtures', 'express-orders', 'app.js'),
    request: {
      path: '/orders/c-1',
      method: 'POST',
      body: JSON.stringify({
        items: [
          { sku: 'tea', quantity: 2 },
          { sku: 'pot', quantity: 1 },
        ],
      }),
    },
    calls: 12,
  },
  bare: {
    name: 'bare-http',
    script: join(import.meta.dirname, 'fixtures', 'bare-http', 'app.js'),
    request: { path: '/', method: 'GET' },
    calls: 2,
  },
} satisfies Record<string, Fixture>;
