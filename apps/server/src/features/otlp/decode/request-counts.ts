import {
  OTLP_LIMITS,
  type OtlpLimitName,
  SPAN_LIMITS,
  type SpanLimitName,
  showMax,
} from '@throughline/contract';
import { buildLimitError } from '../../ingest/index.ts';
import { UnreadableSpan } from './sent-span.ts';

const MAX_VALUES = OTLP_LIMITS.spanValues.max;
const MAX_FIELDS = OTLP_LIMITS.spanFields.max;
const MAX_VALUES_OF_ONE = SPAN_LIMITS.values.max;
const MAX_DEPTH = SPAN_LIMITS.depth.max;
const MAX_NAME = SPAN_LIMITS.attributeNameBytes.max;
/** Maximum number of bytes of one UTF-16 unit in UTF-8. */
const MAX_UTF8_BYTES = 3;

/** Maximum contents of a body that is decoded on the event loop: about 60 ms of work. */
const MAX_ON_EVENT_LOOP = { spans: 4000, spanTraces: 1000, values: 40_000 } as const;

/** The limits whose counts are in `#counts`. Values, names and fields have their own counters. */
type Counted = Exclude<OtlpLimitName, 'spanValues' | 'spanNames' | 'spanFields'>;

/**
 * Counts the contents of an ingest request while it is read, and stops at the first limit: a body of 60 kB can unpack to 31 million empty
 * spans, events or attributes. Only protobuf has fields; all other counts are the same for both of OTLP's encodings.
 */
export class RequestCounts {
  readonly #counts: Record<Counted, number> = {
    spans: 0,
    spanBlocks: 0,
    spanTraces: 0,
    spanServices: 0,
    spanEvents: 0,
    spanRowBytes: 0,
  };
  readonly #names = new Set<string>();
  #values = 0;
  #fields = 0;
  /** Number of values before the current span, resource or scope. */
  #valuesBefore = 0;

  /** Adds to one of the counts, and checks its limit. @throws AppError `payload_too_large` */
  add(name: Counted, amount = 1): void {
    this.#counts[name] += amount;
    if (this.#counts[name] > OTLP_LIMITS[name].max) throw buildLimitError(name);
  }

  /** Counts a field of a protobuf message; a span has dozens. @throws AppError `payload_too_large` */
  addField(): void {
    this.#fields += 1;
    if (this.#fields > MAX_FIELDS) throw buildLimitError('spanFields');
  }

  /** Counts an attribute's name if the name is new, and checks its length. @throws UnreadableSpan, AppError `payload_too_large` */
  addName(name: string): void {
    if (name.length * MAX_UTF8_BYTES > MAX_NAME && Buffer.byteLength(name) > MAX_NAME)
      throw rejectOverLimit('attributeNameBytes');
    this.#names.add(name);
    if (this.#names.size > OTLP_LIMITS.spanNames.max) throw buildLimitError('spanNames');
  }

  /** True if other requests would wait too long while the event loop decodes the contents that were counted so far. */
  get needsWorker(): boolean {
    const { spans, spanTraces } = this.#counts;
    return (
      spans > MAX_ON_EVENT_LOOP.spans ||
      spanTraces > MAX_ON_EVENT_LOOP.spanTraces ||
      this.#values > MAX_ON_EVENT_LOOP.values
    );
  }

  /** Begins a new span, resource or scope, whose values are counted separately. */
  begin(): void {
    this.#valuesBefore = this.#values;
  }

  /**
   * Counts an attribute's value, or a value of a list or map within it.
   * @throws UnreadableSpan, AppError `payload_too_large`
   */
  addValue(depth: number): void {
    if (depth > MAX_DEPTH) throw rejectTooDeep();
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw buildLimitError('spanValues');
    if (this.#values - this.#valuesBefore > MAX_VALUES_OF_ONE) throw rejectOverLimit('values');
  }
}

export function rejectTooDeep(): UnreadableSpan {
  return new UnreadableSpan(`an attribute is nested deeper than ${MAX_DEPTH} levels: send less of it`);
}

export function rejectOverLimit(name: SpanLimitName): UnreadableSpan {
  const { max, what } = SPAN_LIMITS[name];
  return new UnreadableSpan(`more than ${showMax(name, max)} ${what} (limit ${name}): send less of it`);
}
