import type { FastifyInstance } from 'fastify';
import { registerIngestRoutes } from './routes.ts';
import { createIngest, type Ingest, type IngestDeps } from './service.ts';

export type { Batch, BatchTrace, SpanGroup } from './batch/batch.ts';
export {
  type BatchAnswer,
  countRejections,
  type Rejection,
  Rejections,
  withSpansOverLimit,
} from './batch/batch-answer.ts';
export { TraceFault } from './decode/read-trace.ts';
export { encodeStep } from './encode/encode-step.ts';
export { type EncodedTrace, encodeTrace } from './encode/encode-trace.ts';
export { isEchoed } from './encode/hide-echoes.ts';
export { TraceAttributes } from './encode/trace-attributes.ts';
export { type Admission, type Intake, NeedsWorker } from './intake/intake.ts';
export { isReadingFailure, NOT_READABLE } from './intake/reading-failures.ts';
export { registerKeyedRoute } from './receive/keyed-route.ts';
export { buildLimitError } from './receive/over-limit.ts';
export { readContentType } from './receive/plan-body.ts';
export type { Ingest } from './service.ts';

/** Registers the ingest endpoint. Call `drain` before closing the trace store. */
export async function registerIngest(
  app: FastifyInstance,
  deps: IngestDeps,
): Promise<Pick<Ingest, 'projectOf' | 'take' | 'refused' | 'drain'>> {
  const ingest = createIngest(deps);
  await registerIngestRoutes(app, ingest);
  return ingest;
}
