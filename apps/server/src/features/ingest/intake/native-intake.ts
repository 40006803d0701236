import { BODY_BOUNDING, LINES_BOUNDING } from '../decode/json-limits.ts';
import { parseBody, parseLines } from '../decode/parse-body.ts';
import { admitBatch } from './admit-batch.ts';
import type { Intake } from './intake.ts';

const JSON_TYPE = 'application/json';

/** Reads traces in the SDK's format and in the export format. */
export const intake: Intake = {
  contentTypes: [JSON_TYPE, 'application/x-ndjson'],
  module: import.meta.url,
  // The SDK sends batches of at most 1 MB of traces, plus a small envelope.
  maxSmallBytes: (1024 + 64) * 1024,
  boundingOf: (type) => (type === JSON_TYPE ? BODY_BOUNDING : LINES_BOUNDING),
  admit: (bytes, type, admission) =>
    admitBatch(type === JSON_TYPE ? parseBody(bytes, admission) : parseLines(bytes, admission), admission),
};
