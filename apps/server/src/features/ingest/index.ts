import type { FastifyInstance } from 'fastify';
import type { ProjectByKey } from './keyed-route.ts';
import { registerIngestRoutes } from './routes.ts';
import { createIngest, type Ingest, type IngestDeps } from './service.ts';

export type { Batch, BatchTrace } from './commit.ts';
export { type EncodedTrace, encodeTrace } from './encode-trace.ts';
export { apiKeyOf, type ProjectByKey, registerKeyedRoute } from './keyed-route.ts';
export { contentTypeOf } from './receive-body.ts';
export type { Admission, Ingest } from './service.ts';
export type { SpanGroup } from './span-groups.ts';
export { hashesOf, TraceAttributes } from './trace-attributes.ts';

/** The door through which traces come in. `drain` before the trace store is closed. */
export async function registerIngest(
  app: FastifyInstance,
  deps: IngestDeps & { readonly byApiKey: ProjectByKey },
): Promise<Pick<Ingest, 'take' | 'drain'>> {
  const ingest = createIngest(deps);
  await registerIngestRoutes(app, ingest, deps.byApiKey);
  return ingest;
}
