import { SPAN_LIMITS } from '@throughline/contract';
import { REQUEST, RESOURCE, RESOURCE_SPANS, SCOPE, SCOPE_SPANS, SPAN } from './protobuf-fields.ts';
import { SpanReader } from './protobuf-span.ts';
import { ValueReader } from './protobuf-values.ts';
import { type RequestCounts, rejectOverLimit } from './request-counts.ts';
import {
  type Attributes,
  isDecoded,
  type Sent,
  type SentSpan,
  SpanOfFullTrace,
  UnreadableSpan,
} from './sent-span.ts';
import { LastId, WireReader } from './wire-reader.ts';

/**
 * Decodes the spans of an ExportTraceServiceRequest (opentelemetry-proto 1.x) one by one, directly from the bytes: building a tree of
 * messages first cost 1.5 times as much. Unknown fields are skipped; fields with a wrong wire type count as unknown, as protobuf requires.
 * @param fullTraces the ids of traces whose spans are skipped
 * @throws MalformedMessage, AppError `payload_too_large`
 */
export function decodeProtobuf(
  body: Buffer,
  counts: RequestCounts,
  fullTraces: ReadonlySet<string>,
): Generator<Sent> {
  return new RequestDecoder(body, counts, fullTraces).decode();
}

class RequestDecoder {
  readonly #reader: WireReader;
  readonly #counts: RequestCounts;
  readonly #values: ValueReader;
  readonly #spans: SpanReader;
  readonly #fullTraces: ReadonlySet<string>;
  readonly #lastTraceId = new LastId();

  constructor(body: Buffer, counts: RequestCounts, fullTraces: ReadonlySet<string>) {
    this.#fullTraces = fullTraces;
    this.#reader = new WireReader(body, counts);
    this.#counts = counts;
    this.#values = new ValueReader(this.#reader, counts);
    this.#spans = new SpanReader(this.#reader, counts, this.#values);
  }

  *decode(): Generator<Sent> {
    const reader = this.#reader;
    for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
      if (tag === REQUEST.resourceSpans) {
        this.#counts.add('spanBlocks');
        const outer = reader.enter();
        yield* this.#resourceSpans();
        reader.leave(outer);
      } else reader.skip();
    }
  }

  *#resourceSpans(): Generator<Sent> {
    const reader = this.#reader;
    const start = reader.position;
    const resource: Attributes = {};
    let fault: UnreadableSpan | undefined;
    // The resource can come after the spans. Blocks are counted in this first pass, so that a body with too many blocks is refused here.
    reader.readFields((tag) => {
      if (tag === RESOURCE_SPANS.scopeSpans) this.#counts.add('spanBlocks');
      if (tag !== RESOURCE_SPANS.resource || fault !== undefined) return false;
      fault = this.#readSender(
        (inner) => inner === RESOURCE.attributes && this.#values.readKeyValue(resource, 0),
      );
      return true;
    });
    reader.returnTo(start);
    for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
      if (tag === RESOURCE_SPANS.scopeSpans) {
        const outer = reader.enter();
        yield* this.#scopeSpans(resource, fault);
        reader.leave(outer);
      } else reader.skip();
    }
  }

  /** @param fault set if the resource cannot be accepted: then none of its spans can be accepted */
  *#scopeSpans(resource: Attributes, fault: UnreadableSpan | undefined): Generator<Sent> {
    const reader = this.#reader;
    const start = reader.position;
    const scope = { name: '', version: '', attributes: {} };
    let unreadable = fault;
    reader.readFields((tag) => {
      if (tag === SCOPE_SPANS.spans) this.#counts.add('spans');
      if (tag !== SCOPE_SPANS.scope || unreadable !== undefined) return false;
      unreadable = this.#readSender((inner) => this.#readScopeField(inner, scope));
      return true;
    });
    reader.returnTo(start);
    const sender = { resource, scope };
    for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
      if (tag === SCOPE_SPANS.spans) {
        if (unreadable === undefined) {
          const span = this.#readable('spanBytes', () => this.#readSpan());
          yield isDecoded(span) ? [span, sender] : span;
        } else {
          reader.skip();
          yield unreadable;
        }
      } else reader.skip();
    }
  }

  #readSpan(): SentSpan | SpanOfFullTrace {
    if (this.#fullTraces.size > 0) {
      const traceId = this.#reader.findHex(SPAN.traceId, this.#lastTraceId);
      if (this.#fullTraces.has(traceId)) return new SpanOfFullTrace(traceId);
    }
    return this.#spans.read();
  }

  /** Reads the fields of the resource or scope at the current position. Returns the fault if the resource or scope cannot be accepted. */
  #readSender(readField: (tag: number) => boolean): UnreadableSpan | undefined {
    this.#counts.add('spanBlocks');
    return this.#readable('senderBytes', () => {
      this.#reader.readFields(readField);
      return undefined;
    });
  }

  /** Reads the message at the current position, or returns why the message cannot be read. Moves past the message in both cases. */
  #readable<T>(kind: 'spanBytes' | 'senderBytes', read: () => T): T | UnreadableSpan {
    const reader = this.#reader;
    const outer = reader.enter();
    const { end } = reader;
    try {
      if (reader.left > SPAN_LIMITS[kind].max) return rejectOverLimit(kind);
      this.#counts.begin();
      return read();
    } catch (error) {
      if (error instanceof UnreadableSpan) return error;
      throw error;
    } finally {
      reader.leaveFrom(end, outer);
    }
  }

  #readScopeField(
    tag: number,
    scope: { name: string; version: string; readonly attributes: Attributes },
  ): boolean {
    if (tag === SCOPE.name) scope.name = this.#reader.string();
    else if (tag === SCOPE.version) scope.version = this.#reader.string();
    else if (tag === SCOPE.attributes) this.#values.readKeyValue(scope.attributes, 0);
    else return false;
    return true;
  }
}
