import { SPAN_LIMITS } from '@throughline/contract';
import { EVENT, LINK, SPAN, STATUS } from './protobuf-fields.ts';
import type { ValueReader } from './protobuf-values.ts';
import type { RequestCounts } from './request-counts.ts';
import type { Attributes, SentEvent, SentLink, SentSpan } from './sent-span.ts';
import { LastId, type WireReader } from './wire-reader.ts';

const MAX_ATTRIBUTES = SPAN_LIMITS.attributes.max;
const MAX_EVENTS = SPAN_LIMITS.events.max;
const MAX_LINKS = SPAN_LIMITS.links.max;

/** Reads OTLP's Span in protobuf. Attributes, events and links beyond their limits are skipped and counted as dropped. */
export class SpanReader {
  readonly #reader: WireReader;
  readonly #counts: RequestCounts;
  readonly #values: ValueReader;
  readonly #lastTraceId = new LastId();
  readonly #lastParentId = new LastId();

  constructor(reader: WireReader, counts: RequestCounts, values: ValueReader) {
    this.#reader = reader;
    this.#counts = counts;
    this.#values = values;
  }

  /** Reads the span whose message the reader has entered. */
  read(): SentSpan {
    const reader = this.#reader;
    const counts = this.#counts;
    let traceId = '';
    let spanId = '';
    let parentSpanId = '';
    let traceState = '';
    let name = '';
    let kind = 0;
    let startNanos = 0n;
    let endNanos = 0n;
    const attributes: Attributes = {};
    const events: SentEvent[] = [];
    const links: SentLink[] = [];
    const status = { code: 0, message: '' };
    const dropped = { attributes: 0, events: 0, links: 0 };
    let attributeCount = 0;
    let eventCount = 0;
    let linkCount = 0;
    for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
      switch (tag) {
        case SPAN.traceId:
          traceId = reader.hexAgain(this.#lastTraceId);
          break;
        case SPAN.spanId:
          spanId = reader.hex();
          break;
        case SPAN.parentSpanId:
          parentSpanId = reader.hexAgain(this.#lastParentId);
          break;
        case SPAN.traceState:
          traceState = reader.string();
          break;
        case SPAN.name:
          name = reader.string();
          break;
        case SPAN.kind:
          kind = reader.varint();
          break;
        case SPAN.start:
          startNanos = reader.fixed64();
          break;
        case SPAN.end:
          endNanos = reader.fixed64();
          break;
        case SPAN.attributes:
          attributeCount += 1;
          if (attributeCount <= MAX_ATTRIBUTES) this.#values.readKeyValue(attributes, 0);
          else reader.skip();
          break;
        case SPAN.events:
          eventCount += 1;
          counts.add('spanEvents');
          if (eventCount <= MAX_EVENTS) reader.inside(() => events.push(this.#readEvent()));
          else reader.skip();
          break;
        case SPAN.links:
          linkCount += 1;
          counts.add('spanEvents');
          if (linkCount <= MAX_LINKS) reader.inside(() => links.push(this.#readLink()));
          else reader.skip();
          break;
        case SPAN.status:
          reader.inside(() => this.#readStatus(status));
          break;
        case SPAN.droppedAttributes:
          dropped.attributes = reader.varint();
          break;
        case SPAN.droppedEvents:
          dropped.events = reader.varint();
          break;
        case SPAN.droppedLinks:
          dropped.links = reader.varint();
          break;
        default:
          reader.skip();
      }
    }
    return {
      traceId,
      spanId,
      parentSpanId,
      traceState,
      name,
      kind,
      startNanos,
      endNanos,
      attributes,
      events,
      links,
      status,
      dropped: {
        attributes: dropped.attributes + Math.max(0, attributeCount - MAX_ATTRIBUTES),
        events: dropped.events + Math.max(0, eventCount - MAX_EVENTS),
        links: dropped.links + Math.max(0, linkCount - MAX_LINKS),
      },
    };
  }

  #readEvent(): SentEvent {
    const reader = this.#reader;
    const event = { name: '', timeNanos: 0n, attributes: {} };
    reader.readFields((tag) => {
      if (tag === EVENT.name) event.name = reader.string();
      else if (tag === EVENT.time) event.timeNanos = reader.fixed64();
      else if (tag === EVENT.attributes) this.#values.readKeyValue(event.attributes, 0);
      else return false;
      return true;
    });
    return event;
  }

  #readLink(): SentLink {
    const reader = this.#reader;
    const link = { traceId: '', spanId: '', attributes: {} };
    reader.readFields((tag) => {
      if (tag === LINK.traceId) link.traceId = reader.hex();
      else if (tag === LINK.spanId) link.spanId = reader.hex();
      else if (tag === LINK.attributes) this.#values.readKeyValue(link.attributes, 0);
      else return false;
      return true;
    });
    return link;
  }

  #readStatus(status: { code: number; message: string }): void {
    const reader = this.#reader;
    reader.readFields((tag) => {
      if (tag === STATUS.message) status.message = reader.string();
      else if (tag === STATUS.code) status.code = reader.varint();
      else return false;
      return true;
    });
  }
}
