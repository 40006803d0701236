import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { API_LIMITS } from '@throughline/contract';
import { type FastifyInstance, fastify, LogController } from 'fastify';
import { v7 } from 'uuid';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { registerErrors, sendError } from './errors.ts';
import { readJsonBody } from './json-body.ts';
import { refuseUnknownHosts } from './known-hosts.ts';
import { readBeforeTimeouts } from './limits/keep-alive.ts';
import { startFewAtOnce } from './limits/start-few.ts';
import { logRequests } from './request-log.ts';
import { buildSecurityHeaders } from './security.ts';
import { respondToUnreadable } from './unreadable-requests.ts';

/** Maximum time to receive a complete request. The largest ingest body arrives in this time at 70 kB a second. */
const REQUEST_TIMEOUT_MS = 120_000;

/** Content types worth compressing. Excludes event streams, which must not be delayed. */
const COMPRESSIBLE =
  /^(application\/(json|javascript|[\w.-]+\+json)|text\/(html|css|javascript|plain)|image\/svg\+xml)/;

/** Creates the HTTP server with everything that all responses need: request id, error responses, security headers, compression. */
export async function createHttp(config: Config, log: Logger): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => v7(),
    bodyLimit: API_LIMITS.bodyBytes.max,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: toTrustProxyOption(config.trustProxy),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    // Without these two functions, Fastify loads two JSON schema compilers, which adds 0.15 s to each start.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    clientErrorHandler: respondToUnreadable,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  }) as unknown as FastifyInstance;
  readBeforeTimeouts(app.server);
  registerErrors(app);
  startFewAtOnce(app);
  app.addHook('onRequest', async (request, reply) => {
    // Default for all responses, because most contain session data. Routes with cacheable responses set their own header.
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' });
  });
  if (config.mode === 'development') refuseUnknownHosts(app, config.publicUrl);
  logRequests(app);
  closeAfterAnswers(app);
  readJsonBodies(app);
  await app.register(helmet, buildSecurityHeaders(config.publicUrl?.startsWith('https:') === true));
  await app.register(compress, {
    globalDecompression: false,
    threshold: 1024,
    customTypes: COMPRESSIBLE,
    // zstd comes first: it compresses 20 MB of JSON to 1.1 MB in 49 ms, while brotli takes 265 ms for 1.0 MB.
    encodings: ['zstd', 'br', 'gzip'],
  });
  await app.register(rateLimit, { global: false });
  return app;
}

/** Throws if a route has a schema of Fastify: requests are validated only with the contract's schemas. */
function refuseSchemas(): never {
  throw new Error('a route has a schema of Fastify');
}

/**
 * While the server stops, closes each connection after its current request, because an idle connection that stays open would delay the
 * stop.
 */
function closeAfterAnswers(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
}

/** Converts the setting to Fastify's option. A number is the number of trusted proxies in front of the server. */
function toTrustProxyOption(setting: Config['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;
}

function readJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => readJsonBody(body),
  );
}
