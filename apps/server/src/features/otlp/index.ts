import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, sendError } from '../../platform/http/errors.ts';
import { type Ingest, readContentType, registerKeyedRoute } from '../ingest/index.ts';
import type { GrpcServer, GrpcServerDeps } from './grpc/grpc-server.ts';
import {
  encodeResponseJson,
  encodeResponseProtobuf,
  encodeStatusJson,
  encodeStatusProtobuf,
} from './http/answers.ts';
import { JSON_TYPE, PROTOBUF } from './spans/admit-spans.ts';
import { intake } from './spans/otlp-intake.ts';

export type { GrpcServer } from './grpc/grpc-server.ts';

/** The path that OTLP exporters append to their configured address. */
const PATH = '/v1/traces';

/**
 * Registers `POST /v1/traces`: OTLP over HTTP (opentelemetry.io/docs/specs/otlp) with a project's API key. Metrics and logs are refused
 * with a message.
 */
export async function registerOtlp(
  app: FastifyInstance,
  deps: { readonly ingest: Pick<Ingest, 'projectOf' | 'take' | 'refused'> },
): Promise<void> {
  await registerKeyedRoute(app, {
    url: PATH,
    ingest: deps.ingest,
    async handle(request, project, reply) {
      const answer = await deps.ingest.take(request.raw, project, intake);
      if (isJson(request)) {
        reply.type(JSON_TYPE);
        return encodeResponseJson(answer);
      }
      reply.type(PROTOBUF);
      return encodeResponseProtobuf(answer);
    },
    onError: refuse,
  });
  await app.register(
    async (scope) => {
      // Exporters also send metrics and logs unless they are configured otherwise.
      scope.setNotFoundHandler((request, reply) =>
        refuse(new AppError('not_found', TRACES_ALONE), request, reply),
      );
    },
    { prefix: '/v1' },
  );
}

const TRACES_ALONE = `Only traces are accepted here, by POST ${PATH}. For a service that sends more, set OTEL_METRICS_EXPORTER=none and OTEL_LOGS_EXPORTER=none.`;

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const json = isJson(request);
  reply.type(json ? JSON_TYPE : PROTOBUF);
  sendError(error, request, reply, json ? encodeStatusJson : encodeStatusProtobuf);
}

/**
 * Opens the server for OTLP over gRPC. The server's code is loaded only if gRPC is used.
 * @throws errors of listening
 */
export async function openOtlpGrpc(deps: GrpcServerDeps): Promise<GrpcServer> {
  const { openGrpcServer } = await import('./grpc/grpc-server.ts');
  return openGrpcServer(deps);
}

/** Returns true if the request is JSON. A response has the encoding of its request. */
function isJson(request: FastifyRequest): boolean {
  return readContentType(request.headers) === JSON_TYPE;
}
