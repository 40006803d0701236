import { routes } from '@throughline/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/http/errors.ts';
import type { IngestProject } from '../projects/index.ts';
import type { Ingest } from './service.ts';

/** Longer keys name nothing that a sender made for one batch. */
const MAX_BATCH_KEY = 255;

/**
 * `POST /api/ingest/traces`. The key is checked before the body is read, and the body is read as bytes: what it unpacks to is bounded,
 * and its JSON is parsed where the numbers' digits are still at hand.
 */
export async function registerIngestRoutes(
  app: FastifyInstance,
  ingest: Ingest,
  byApiKey: (apiKey: string) => Promise<IngestProject | undefined>,
): Promise<void> {
  const projects = new WeakMap<FastifyRequest, IngestProject>();
  const openByKey = async (request: FastifyRequest): Promise<void> => {
    const apiKey = apiKeyOf(request);
    const project = apiKey === undefined ? undefined : await byApiKey(apiKey);
    if (project === undefined) throw new AppError('invalid_api_key');
    projects.set(request, project);
  };
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const project = projects.get(request);
    if (project === undefined) throw new Error('a batch came past the key check');
    reply.send(await ingest.accept(request.raw, project, batchKeyOf(request)));
    await reply;
  };
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const { method, path } = routes.ingest.traces;
    scope.route({ method, url: path, onRequest: openByKey, handler: handle });
  });
}

function apiKeyOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-api-key'];
  if (typeof header === 'string') return header.trim();
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
}

function batchKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || key === '') return undefined;
  if (typeof key === 'string' && key.length <= MAX_BATCH_KEY) return key;
  throw new AppError(
    'validation_failed',
    `The idempotency-key must be one of at most ${MAX_BATCH_KEY} characters.`,
  );
}
