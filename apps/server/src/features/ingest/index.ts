import type { FastifyInstance } from 'fastify';
import { registerIngestRoutes } from './routes.ts';
import { createIngest, type Ingest, type IngestDeps } from './service.ts';

export { type BatchAnswer, countRejections, type Rejection, Rejections } from './batch-answer.ts';
export type { Batch, BatchTrace } from './commit.ts';
export { type EncodedTrace, encodeTrace } from './encode-trace.ts';
export { isEchoed } from './hide-echoes.ts';
export type { Admission, Intake } from './intake.ts';
export { registerKeyedRoute } from './keyed-route.ts';
export { overLimit } from './over-limit.ts';
export { readContentType } from './plan-body.ts';
export { TraceFault } from './read-trace.ts';
export type { Ingest } from './service.ts';
export type { SpanGroup } from './span-groups.ts';
export { hashAttributes, TraceAttributes } from './trace-attributes.ts';
export { refuseLargeValue } from './value-field.ts';

/** Registers the ingest endpoint. Call `drain` before the trace store is closed. */
export async function registerIngest(
  app: FastifyInstance,
  deps: IngestDeps,
): Promise<Pick<Ingest, 'projectOf' | 'take' | 'refused' | 'drain'>> {
  const ingest = createIngest(deps);
  await registerIngestRoutes(app, ingest);
  return ingest;
}
