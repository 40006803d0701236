import { KB, MB, type RequestLimit } from './limit.ts';

const SEND_FEWER =
  "Send fewer spans at a time: lower the Collector's send_batch_max_size or the SDK's OTEL_BSP_MAX_EXPORT_BATCH_SIZE.";

/**
 * Limits of one OpenTelemetry request in any OTLP encoding, in addition to the byte limits of all requests.
 * By default the Collector sends 8,192 spans per request, and up to 64,000 if configured to; all limits are
 * above that.
 */
export const OTLP_LIMITS = {
  spans: { max: 100_000, what: 'spans', remedy: SEND_FEWER },
  spanBlocks: {
    max: 400_000,
    what: 'resources, scopes and blocks of their spans (ResourceSpans and ScopeSpans)',
    remedy: SEND_FEWER,
  },
  spanTraces: { max: 50_000, what: 'different trace ids', remedy: SEND_FEWER },
  spanServices: {
    max: 2000,
    what: 'different service names',
    remedy:
      'Give each service one service.name; what differs between its processes is its service.instance.id.',
  },
  spanNames: {
    max: 20_000,
    what: 'different names of attributes',
    remedy: 'Give attributes fixed names; ids and counters belong into their values.',
  },
  spanEvents: { max: 500_000, what: 'events and links of spans', remedy: SEND_FEWER },
  spanValues: {
    max: 2_000_000,
    what: 'attribute values, those inside lists and maps included',
    remedy: SEND_FEWER,
  },
  spanFields: { max: 12_000_000, what: 'protobuf fields', remedy: SEND_FEWER },
  spanRowBytes: {
    max: 128 * MB,
    what: 'of bytes as they are stored: attributes of resources and scopes count for each of their spans',
    remedy: `${SEND_FEWER} Or give resources and scopes fewer attributes.`,
  },
} as const satisfies Record<string, RequestLimit>;

export type OtlpLimitName = keyof typeof OTLP_LIMITS;

/** A limit of one span. */
export interface SpanLimit {
  readonly max: number;
  readonly what: string;
  /** Treatment of a span above the limit. */
  readonly effect: string;
}

const REJECTED = 'The span is rejected; others of its request are stored.';
const CUT = 'The first ones are stored, the others counted as dropped.';

export const SPAN_LIMITS = {
  spanBytes: { max: 16 * MB, what: 'of one span', effect: REJECTED },
  senderBytes: {
    max: MB,
    what: 'of one resource, or of one scope',
    effect: 'All spans of the resource or scope are rejected.',
  },
  values: {
    max: 100_000,
    what: 'attribute values of one span with its events and links, of one resource or of one scope, those inside lists and maps included',
    effect: REJECTED,
  },
  depth: { max: 100, what: 'levels of lists and maps inside each other', effect: REJECTED },
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

/** Limits of the spans of one trace, and of one project, across all requests. */
export const TRACE_LIMITS = {
  traceSpans: {
    max: 100_000,
    what: 'spans of one trace id in a project',
    effect:
      'The first ones are stored, the others rejected. Spans that were sent again count until the store has folded them.',
  },
  openTraces: {
    max: 100_000,
    what: 'traces of one project whose spans wait to be put together',
    effect:
      'From half as many on, those that wait longest for their request get it of their topmost span at once; spans of more traces are rejected.',
  },
} as const satisfies Record<string, SpanLimit>;

export type TraceLimitName = keyof typeof TRACE_LIMITS;
