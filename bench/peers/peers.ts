import { join } from 'node:path';
import type { Mode, Outlet } from '../sdk/modes.ts';

/**
 * Length of the queues of OpenTelemetry and of Elastic's agent. It is so large that no queue overflows, because a dropped span would look
 * like saved CPU time.
 */
const queue = '200000';
/** Interval at which the tracers send. The SDK sends at the same interval. */
const flushMs = '500';

/**
 * The tracers with which the SDK is compared. Each sends everything that it records to the local collector. `folder` is the result of
 * `installPeers`.
 */
export function peers(folder: string) {
  const at = (file: string) => join(folder, 'node_modules', file);
  const preload = (name: string) => join(import.meta.dirname, '..', 'fixtures', 'peers', name);
  return {
    otelHttp: {
      name: 'OpenTelemetry http only',
      flags: ['--require', preload('opentelemetry-http.cjs')],
      env: (outlet) => openTelemetry(folder, outlet),
      sends: 'requests',
    },
    otelAuto: {
      name: 'OpenTelemetry auto',
      flags: ['--require', at('@opentelemetry/auto-instrumentations-node/dist/register.cjs')],
      env: (outlet) => openTelemetry(folder, outlet),
      sends: 'requests',
    },
    sentry: {
      name: 'Sentry',
      flags: ['--import', preload('sentry.cjs')],
      env: ({ address }) => ({
        BENCH_PEERS: folder,
        SENTRY_DSN: `${address.replace('http://', 'http://public@')}/1`,
      }),
      sends: 'what it can',
    },
    datadog: {
      name: 'dd-trace',
      flags: ['--require', at('dd-trace/init.js')],
      env: ({ address }) => ({
        DD_TRACE_AGENT_URL: address,
        DD_SERVICE: 'bench',
        DD_TRACE_FLUSH_INTERVAL: flushMs,
        DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'false',
        DD_REMOTE_CONFIGURATION_ENABLED: 'false',
        DD_TRACE_STARTUP_LOGS: 'false',
      }),
      sends: 'what it can',
    },
    elastic: {
      name: 'elastic-apm-node',
      flags: ['--require', at('elastic-apm-node/start.js')],
      env: ({ address }) => ({
        ELASTIC_APM_SERVER_URL: address,
        ELASTIC_APM_SERVICE_NAME: 'bench',
        ELASTIC_APM_API_REQUEST_TIME: `${flushMs}ms`,
        ELASTIC_APM_MAX_QUEUE_SIZE: queue,
        ELASTIC_APM_CENTRAL_CONFIG: 'false',
        ELASTIC_APM_CLOUD_PROVIDER: 'none',
        ELASTIC_APM_METRICS_INTERVAL: '0s',
        ELASTIC_APM_LOG_LEVEL: 'off',
      }),
      sends: 'what it can',
    },
    appmap: {
      name: 'appmap-node',
      flags: ['--require', at('appmap-node/dist/register.js')],
      // AppMap sends nothing, but writes a file per request.
      env: ({ folder: root }) => ({ APPMAP_ROOT: root, NO_COLOR: '1' }),
      sends: 'what it can',
      load: 0.1,
    },
  } satisfies Record<string, Mode>;
}

function openTelemetry(folder: string, { address }: Outlet): Readonly<Record<string, string>> {
  return {
    BENCH_PEERS: folder,
    OTEL_EXPORTER_OTLP_ENDPOINT: address,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_SERVICE_NAME: 'bench',
    OTEL_BSP_SCHEDULE_DELAY: flushMs,
    OTEL_BSP_MAX_QUEUE_SIZE: queue,
    OTEL_NODE_RESOURCE_DETECTORS: 'none',
  };
}
