import type { Intake } from '../../ingest/index.ts';
import { admitSpans, JSON_TYPE, PROTOBUF } from './admit-spans.ts';

export const intake: Intake = {
  contentTypes: [PROTOBUF, JSON_TYPE],
  module: import.meta.url,
  // Bodies above this size, which is the size of about 2,000 spans of an instrumentation library, go to a worker thread. A smaller body
  // also goes to a worker thread if it has more spans, traces or values than the event loop can read quickly.
  maxSmallBytes: (1024 + 64) * 1024,
  boundingOf: () => undefined,
  admit: (bytes, type, admission) => admitSpans(bytes, type === JSON_TYPE ? JSON_TYPE : PROTOBUF, admission),
};
