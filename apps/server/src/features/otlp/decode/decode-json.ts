import { isUtf8 } from 'node:buffer';
import { SPAN_LIMITS } from '@throughline/contract';
import { JsonCursor, type JsonPlace } from './json-cursor.ts';
import { JsonSpanReader } from './json-span.ts';
import { type RequestCounts, rejectOverLimit, rejectTooDeep } from './request-counts.ts';
import {
  type Attributes,
  isDecoded,
  type Sender,
  type Sent,
  type SentSpan,
  SpanOfFullTrace,
  UnreadableSpan,
} from './sent-span.ts';
import { MalformedMessage } from './wire-reader.ts';

/**
 * Decodes the spans of an ExportTraceServiceRequest in OTLP's JSON (proto3 JSON with hexadecimal ids) one by one. Each span is parsed
 * separately, since a fully parsed body of 64 MB can take several GB. Unknown fields are skipped; 64-bit numbers can be strings or numbers,
 * enums numbers or names. A span with a wrong value does not affect the other spans.
 * @param fullTraces the ids of traces whose spans are skipped
 * @throws MalformedMessage if the body is not JSON or not such a request, AppError `payload_too_large`
 */
export function decodeJson(
  body: Buffer,
  counts: RequestCounts,
  fullTraces: ReadonlySet<string>,
): Generator<Sent> {
  if (!isUtf8(body)) throw new MalformedMessage('the body is not UTF-8');
  return new RequestDecoder(body, counts, fullTraces).decode();
}

/** A value that was read (a span, resource or scope), or the reason why it cannot be read. */
type Readable<T> = T | UnreadableSpan;

/** Maximum number of JSON values of one span, resource or scope. Member names count too, so a text attribute counts as seven values. */
const MAX_JSON_VALUES = 1_000_000;
/** Maximum size of a trace id in JSON, with its quotes, and with each character escaped. */
const MAX_ID_BYTES = 32 * 6 + 2;
const NULL = 'null';
/** Maximum depth of the JSON. OTLP allows 100 levels of nested values, and each of them takes three levels of JSON. */
const MAX_JSON_DEPTH = 1000;

class RequestDecoder {
  readonly #cursor: JsonCursor;
  readonly #counts: RequestCounts;
  readonly #reader: JsonSpanReader;
  readonly #fullTraces: ReadonlySet<string>;

  constructor(body: Buffer, counts: RequestCounts, fullTraces: ReadonlySet<string>) {
    this.#fullTraces = fullTraces;
    this.#cursor = new JsonCursor(body);
    this.#counts = counts;
    this.#reader = new JsonSpanReader(counts);
  }

  *decode(): Generator<Sent> {
    const cursor = this.#cursor;
    if (!cursor.isAtObject) throw new MalformedMessage('the body is not an object');
    for (const name of cursor.members()) {
      if (name === 'resourceSpans') yield* this.#elements(name, () => this.#resourceSpans());
      else this.#passBy();
    }
    cursor.finish();
  }

  #resourceSpans(): Generator<Sent> {
    const readResource = () => this.#readSender((sent) => this.#reader.readAttributes(sent));
    return this.#block({ sender: 'resource', list: 'scopeSpans' }, readResource, {}, (resource) =>
      this.#scopeSpans(resource),
    );
  }

  #scopeSpans(resource: Readable<Attributes>): Generator<Sent> {
    const readScope = () => this.#readSender((sent) => this.#reader.readScope(sent));
    const none = { name: '', version: '', attributes: {} };
    return this.#block({ sender: 'scope', list: 'spans' }, readScope, none, (scope) =>
      this.#span(resource, scope),
    );
  }

  /**
   * Reads a block: an object with a sender (a resource or a scope) and a list that belongs to the sender. If the list comes before the
   * sender, skips the list and reads it at the end.
   * @param none the sender to use for a block without a sender
   */
  *#block<S>(
    names: { readonly sender: string; readonly list: string },
    readSender: () => Readable<S>,
    none: S,
    readElement: (sender: Readable<S>) => Generator<Sent>,
  ): Generator<Sent> {
    const cursor = this.#cursor;
    this.#counts.add('spanBlocks');
    if (!cursor.isAtObject)
      return this.#passNull(`${names.list} is expected in an object, but its parent is not an object`);
    let sender: Readable<S> | undefined;
    let listAt: number | undefined;
    for (const name of cursor.members()) {
      if (name === names.sender) sender = readSender();
      else if (name !== names.list) this.#passBy();
      else if (sender === undefined) listAt = cursor.skip().start;
      else {
        const known = sender;
        yield* this.#elements(name, () => readElement(known));
      }
    }
    if (listAt === undefined) return;
    const end = cursor.position;
    cursor.moveTo(listAt);
    yield* this.#elements(names.list, () => readElement(sender ?? none));
    cursor.moveTo(end);
  }

  *#elements(name: string, read: () => Generator<Sent>): Generator<Sent> {
    if (!this.#cursor.isAtArray) return this.#passNull(`${name} is not an array`);
    for (const _element of this.#cursor.elements()) yield* read();
  }

  *#span(resource: Readable<Attributes>, scope: Readable<Sender['scope']>): Generator<Sent> {
    this.#counts.add('spans');
    const span = this.#readSpan();
    if (resource instanceof UnreadableSpan) yield resource;
    else if (scope instanceof UnreadableSpan) yield scope;
    else yield isDecoded(span) ? [span, { resource, scope }] : span;
  }

  #readSpan(): Readable<SentSpan> | SpanOfFullTrace {
    const place = this.#skipPart('spanBytes');
    if (place instanceof UnreadableSpan) return place;
    return this.#findFullTrace(place) ?? this.#parsePart(place, (sent) => this.#reader.readSpan(sent));
  }

  /** Finds the trace id of a span if the trace is full. Other members of the span are not parsed, so they can be invalid JSON. */
  #findFullTrace({ start, end }: JsonPlace): SpanOfFullTrace | undefined {
    if (this.#fullTraces.size === 0) return undefined;
    const cursor = this.#cursor;
    cursor.moveTo(start);
    let traceId: unknown;
    if (cursor.isAtObject)
      for (const name of cursor.members()) {
        const place = cursor.skip();
        if (name === 'traceId' && place.end - place.start <= MAX_ID_BYTES)
          traceId = cursor.parse(place.start, place.end);
      }
    cursor.moveTo(end);
    if (typeof traceId !== 'string') return undefined;
    const id = traceId.toLowerCase();
    return this.#fullTraces.has(id) ? new SpanOfFullTrace(id) : undefined;
  }

  #readSender<T>(read: (sent: unknown) => T): Readable<T> {
    this.#counts.add('spanBlocks');
    return this.#readPart('senderBytes', read);
  }

  /** Parses and reads the value at the cursor. Returns the fault if the value cannot be accepted. */
  #readPart<T>(kind: 'spanBytes' | 'senderBytes', read: (sent: unknown) => T): Readable<T> {
    const place = this.#skipPart(kind);
    return place instanceof UnreadableSpan ? place : this.#parsePart(place, read);
  }

  /**
   * Moves past the value at the cursor. Returns the fault if the value is too large or nested too deep. Such a value is not parsed, so it
   * can be invalid JSON.
   */
  #skipPart(kind: 'spanBytes' | 'senderBytes'): JsonPlace | UnreadableSpan {
    const place = this.#cursor.skip();
    if (place.end - place.start > SPAN_LIMITS[kind].max) return rejectOverLimit(kind);
    if (place.depth > MAX_JSON_DEPTH) return rejectTooDeep();
    return place.values > MAX_JSON_VALUES ? rejectOverLimit('values') : place;
  }

  #parsePart<T>({ start, end }: JsonPlace, read: (sent: unknown) => T): Readable<T> {
    const sent = this.#cursor.parse(start, end);
    this.#counts.begin();
    try {
      return read(sent);
    } catch (cause) {
      if (cause instanceof UnreadableSpan) return cause;
      if (cause instanceof MalformedMessage) return new UnreadableSpan(cause.message, { cause });
      throw cause;
    }
  }

  /** Skips a member that is not read, but parses it to ensure that it is JSON. */
  #passBy(): void {
    this.#counts.add('spanBlocks');
    const { start, end, values, depth } = this.#cursor.skip();
    if (values > MAX_JSON_VALUES || depth > MAX_JSON_DEPTH)
      throw new MalformedMessage('a member that OTLP does not have is too large');
    this.#cursor.parse(start, end);
  }

  /**
   * Moves past a null, which in protobuf's JSON means that the field is not set. Throws `MalformedMessage` with the message `otherwise` for
   * any other value.
   */
  #passNull(otherwise: string): void {
    const { start, end } = this.#cursor.skip();
    if (end - start !== NULL.length || this.#cursor.parse(start, end) !== null)
      throw new MalformedMessage(otherwise);
  }
}
