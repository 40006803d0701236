import type { IngestProject } from '../../projects/index.ts';
import type { SpanFacts, SpanLink, TraceKey } from '../../spans/index.ts';
import type { EncodedTrace } from '../encode/encode-trace.ts';
import type { BatchKey } from '../store.ts';
import type { BatchAnswer } from './batch-answer.ts';

/** A trace and its position in the request. */
export interface BatchTrace extends EncodedTrace {
  readonly index: number;
}
/** Spans of one distributed trace that arrived in the same batch. */
export interface SpanGroup {
  readonly key: TraceKey;
  readonly links: readonly SpanLink[];
  /** Search data of those spans that can become steps, by span id. */
  readonly facts: ReadonlyMap<string, SpanFacts>;
  /** The spans' rows in TabSeparated format. */
  readonly rows: Buffer;
}

/** The traces of one ingest request, ready to be stored, and the response to send once they are stored. */
export interface Batch {
  readonly key: BatchKey | undefined;
  /** The project that the batch belongs to. The traces count towards the quota of the project's account. */
  readonly project: IngestProject;
  readonly traces: readonly BatchTrace[];
  /** Spans sent with the traces; empty for batches in the SDK's own format. */
  readonly spans: readonly SpanGroup[];
  /** Traces whose spans were rejected before they were decoded, because these traces already have the maximum number of spans. */
  readonly fullTraces: readonly TraceKey[];
  readonly answer: BatchAnswer;
}
