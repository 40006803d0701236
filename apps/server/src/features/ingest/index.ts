import type { FastifyInstance } from 'fastify';
import type { IngestProject } from '../projects/index.ts';
import { registerIngestRoutes } from './routes.ts';
import { createIngest, type Ingest, type IngestDeps } from './service.ts';

/** The door through which traces come in. `drain` before the trace store is closed. */
export async function registerIngest(
  app: FastifyInstance,
  deps: IngestDeps & { readonly byApiKey: (apiKey: string) => Promise<IngestProject | undefined> },
): Promise<Pick<Ingest, 'drain'>> {
  const ingest = createIngest(deps);
  await registerIngestRoutes(app, ingest, deps.byApiKey);
  return ingest;
}
