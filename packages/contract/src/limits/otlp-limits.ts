import { INGEST_LIMITS } from './ingest-limits.ts';
import { KB, MB, type RequestLimit } from './limit.ts';

const SEND_FEWER =
  "Send fewer spans at a time: lower the Collector's send_batch_max_size or the SDK's OTEL_BSP_MAX_EXPORT_BATCH_SIZE.";

/**
 * Limits of one OpenTelemetry request in any OTLP encoding, in addition to the byte limits of all requests. All are above what the
 * Collector sends: 8,192 spans per request by default, up to 64,000 if configured.
 */
export const OTLP_LIMITS = {
  spans: { max: 100_000, what: 'spans', remedy: SEND_FEWER },
  spanBlocks: {
    max: 400_000,
    what: 'ResourceSpans, ScopeSpans, resources and scopes in total',
    remedy: SEND_FEWER,
  },
  spanTraces: { max: 50_000, what: 'distinct trace ids', remedy: SEND_FEWER },
  spanServices: {
    max: 2000,
    what: 'distinct service names',
    remedy:
      'Give all processes of a service the same service.name, and distinguish the processes by service.instance.id.',
  },
  spanNames: {
    max: 20_000,
    what: 'distinct names of attributes',
    remedy: 'Give attributes fixed names; ids and counters belong in their values.',
  },
  spanEvents: { max: 500_000, what: 'events and links of spans', remedy: SEND_FEWER },
  spanValues: {
    max: 2_000_000,
    what: 'attribute values, including those inside lists and maps',
    remedy: SEND_FEWER,
  },
  spanFields: { max: 12_000_000, what: 'protobuf fields', remedy: SEND_FEWER },
  spanRowBytes: {
    max: 128 * MB,
    what: 'of data to store, in which attributes of resources and scopes count once for each of their spans',
    remedy: `${SEND_FEWER} Or give resources and scopes fewer attributes.`,
  },
} as const satisfies Record<string, RequestLimit>;

export type OtlpLimitName = keyof typeof OTLP_LIMITS;

/** A limit of one span. */
export interface SpanLimit {
  readonly max: number;
  readonly what: string;
  /** The treatment of a span above the limit. */
  readonly effect: string;
}

const REJECTED = 'The span is rejected; the other spans of its request are stored.';
const REJECTED_OF_SENDER = `${REJECTED} If a resource or scope exceeds the limit, all of its spans are rejected.`;
const CUT = 'Those within the limit are stored, and the others are counted as dropped.';

export const SPAN_LIMITS = {
  spanBytes: { max: 16 * MB, what: 'of one span', effect: REJECTED },
  senderBytes: {
    max: MB,
    what: 'of one resource, or of one scope',
    effect: 'All spans of the resource or scope are rejected.',
  },
  values: {
    max: 100_000,
    what: 'attribute values of one span with its events and links, of one resource or of one scope, including those inside lists and maps',
    effect: REJECTED_OF_SENDER,
  },
  attributeNameBytes: {
    max: INGEST_LIMITS.nameBytes.max,
    what: 'in the name of one attribute, or of one member of a map',
    effect: REJECTED_OF_SENDER,
  },
  depth: { max: 100, what: 'nested levels of lists and maps', effect: REJECTED_OF_SENDER },
  attributes: { max: 10_000, what: 'attributes of one span', effect: CUT },
  events: { max: 10_000, what: 'events of one span', effect: CUT },
  links: { max: 10_000, what: 'links of one span', effect: CUT },
  stepResourceBytes: {
    max: 8 * KB,
    what: 'of resource attributes that are stored with each step',
    effect: 'The first attributes that fit are stored with the step, and all of them with its request.',
  },
} as const satisfies Record<string, SpanLimit>;

export type SpanLimitName = keyof typeof SPAN_LIMITS;

/** Limits of the spans of one trace, and of the spans of one project, counted over all requests. */
export const TRACE_LIMITS = {
  traceSpans: {
    max: 100_000,
    what: 'spans of one trace id in a project',
    effect:
      'The spans within the limit are stored, and the others are rejected. Spans that were sent twice count twice until the store has merged them.',
  },
  openTraces: {
    max: 100_000,
    what: 'traces of one project whose spans wait to be assembled',
    effect:
      'From half of this number on, the traces that wait longest are assembled immediately: the topmost span of each becomes its request. From this number on, spans of further traces are rejected.',
  },
} as const satisfies Record<string, SpanLimit>;

export type TraceLimitName = keyof typeof TRACE_LIMITS;
