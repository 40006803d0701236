import { routes } from '@throughline/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/http/errors.ts';
import { registerKeyedRoute } from './receive/keyed-route.ts';
import type { Ingest } from './service.ts';

/** Longer idempotency keys are refused; real keys are shorter. */
const MAX_BATCH_KEY = 255;

/**
 * Registers `POST /api/ingest/traces`. The route receives the body as bytes, so that its unpacked size is limited and the digits of its
 * JSON numbers are still available.
 */
export async function registerIngestRoutes(app: FastifyInstance, ingest: Ingest): Promise<void> {
  await registerKeyedRoute(app, {
    url: routes.ingest.traces.path,
    ingest,
    handle: (request, project) => ingest.accept(request.raw, project, readBatchKey(request)),
  });
}

function readBatchKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || key === '') return undefined;
  if (typeof key === 'string' && key.length <= MAX_BATCH_KEY) return key;
  throw new AppError(
    'validation_failed',
    `The idempotency-key must be a single value of at most ${MAX_BATCH_KEY} characters.`,
  );
}
