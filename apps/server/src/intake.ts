import type { FastifyInstance } from 'fastify';
import { registerIngest } from './features/ingest/index.ts';
import { type GrpcServer, openOtlpGrpc, registerOtlp } from './features/otlp/index.ts';
import type { Projects } from './features/projects/index.ts';
import type { Rollups } from './features/rollups/index.ts';
import { createSettling } from './features/spans/index.ts';
import type { Traces } from './features/traces/index.ts';
import type { UsageFeature } from './features/usage/index.ts';
import type { Clock } from './platform/clock.ts';
import { type Config, ConfigError } from './platform/config.ts';
import type { Logger } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Stores } from './platform/stores.ts';

/** All entry points for traces, over HTTP and gRPC. */
export interface Intake {
  /**
   * Opens the server for OTLP over gRPC, which has its own port. Resolves with the port; undefined if gRPC is off.
   * @throws ConfigError if the port is in use
   */
  listen(config: Pick<Config, 'host' | 'otlpGrpcPort'>): Promise<number | undefined>;
  /** Refuses new traces from now on. Resolves when all accepted traces are stored. */
  drain(): Promise<void>;
  /** Ends background work. The stores can be closed after that. */
  close(): Promise<void>;
}

export async function openIntake(
  app: FastifyInstance,
  deps: {
    readonly stores: Stores;
    readonly clock: Clock;
    readonly log: Logger;
    readonly projects: Projects;
    readonly traces: Traces;
    readonly usage: UsageFeature;
    readonly rollups: Pick<Rollups, 'changing'>;
    readonly metrics: Metrics;
  },
): Promise<Intake> {
  const { stores, clock, log, projects, traces, usage, metrics } = deps;
  const { changing } = deps.rollups;
  const { byApiKey } = projects;
  const settling = createSettling({
    store: stores.traces,
    alone: stores.alone,
    log,
    reservations: {
      reserve: usage.reserveForProject,
      commit: (reservation) => usage.commit([reservation]),
      release: (reservation) => usage.release([reservation]),
    },
    changing,
  });
  const ingest = await registerIngest(app, {
    alone: stores.alone,
    clock,
    log,
    usage,
    metrics,
    byApiKey,
    published: traces.published,
    changing,
    spansTouched: settling.touched,
    spanLimits: settling,
  });
  await registerOtlp(app, { ingest });
  let grpc: GrpcServer | undefined;
  return {
    async listen({ host, otlpGrpcPort: port }) {
      if (port === undefined) return undefined;
      grpc = await openOtlpGrpc({ port, host, ingest, log }).catch((cause: unknown) => {
        throw isPortTaken(cause)
          ? new ConfigError(`OTLP_GRPC_PORT ${port} is in use by another program`)
          : cause;
      });
      return grpc.port;
    },
    async drain() {
      await Promise.all([ingest.drain(), grpc?.close()]);
    },
    close: settling.close,
  };
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
