import type { Intake } from '../ingest/index.ts';
import { admitSpans, JSON_TYPE, PROTOBUF } from './admit-spans.ts';

/** Spans of OpenTelemetry, in protobuf and in JSON. */
export const intake: Intake = {
  contentTypes: [PROTOBUF, JSON_TYPE],
  module: import.meta.url,
  boundingOf: () => undefined,
  admit: (bytes, type, admission) => admitSpans(bytes, type === JSON_TYPE ? JSON_TYPE : PROTOBUF, admission),
};
