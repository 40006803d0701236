import type { Intake } from '../../ingest/index.ts';
import { admitSpans, JSON_TYPE, PROTOBUF } from '../spans/admit-spans.ts';

/** Reads OpenTelemetry spans in protobuf and JSON. */
export const intake: Intake = {
  contentTypes: [PROTOBUF, JSON_TYPE],
  module: import.meta.url,
  // Twice the size of an exporter's usual batch of 512 spans. The smallest spans have 60 bytes, and 1 MB of them would block the event loop
  // for 200 ms.
  maxSmallBytes: 384 * 1024,
  boundingOf: () => undefined,
  admit: (bytes, type, admission) => admitSpans(bytes, type === JSON_TYPE ? JSON_TYPE : PROTOBUF, admission),
};
