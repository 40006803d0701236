import { copies, join, type Pieces, raw } from './pieces.ts';
import { field, fixed64, id, integer, small } from './wire.ts';

const start = BigInt(Date.now() - 60_000) * 1_000_000n;

interface SpanIds {
  readonly trace: number;
  readonly span: number;
  readonly parent?: number;
}

/** Span kind SERVER: such a span becomes a request. */
const SERVER = 2;

/** Encodes the required fields of a span. */
function spanFields(span: SpanIds, kind = SERVER): Buffer {
  return Buffer.concat([
    small(1, id(16, span.trace)),
    small(2, id(8, span.span)),
    ...(span.parent === undefined ? [] : [small(4, id(8, span.parent))]),
    small(5, 'n'),
    integer(6, kind),
    fixed64(7, start),
    fixed64(8, start + 5n),
  ]);
}

type Part = Pieces | Buffer;
const pieces = (part: Part) => (Buffer.isBuffer(part) ? raw(part) : part);

/** Builds a request with one resource and one scope with the given fields. */
export function withScopeFields(fields: Part): Pieces {
  return field(1, field(2, pieces(fields)));
}

/**
 * Each id in the bytes of {@link spanFields} ends with a number of four bytes. The constants are the offsets of these numbers. An id
 * has a field header of two bytes, and 16 bytes (trace) or 8 bytes (span, parent).
 */
const TRACE_NUMBER = 2 + 16 - 4;
const SPAN_NUMBER = TRACE_NUMBER + 4 + 2 + 8 - 4;
const PARENT_NUMBER = SPAN_NUMBER + 4 + 2 + 8 - 4;

/** Builds a request of spans that differ only in their ids. */
export function withSpansNumbered(count: number, ids: (index: number) => SpanIds): Pieces {
  return withScopeFields(spansNumbered(count, ids));
}

/** Builds the spans of `withSpansNumbered` as the fields of a scope. */
export function spansNumbered(count: number, ids: (index: number) => SpanIds, kind = SERVER): Pieces {
  const fields = spanFields(ids(0), kind);
  const template = small(2, fields);
  const before = template.length - fields.length;
  return copies(template, count, (chunk, at, index) => {
    const { trace, span, parent } = ids(index);
    chunk.writeUInt32BE(trace, at + before + TRACE_NUMBER);
    chunk.writeUInt32BE(span, at + before + SPAN_NUMBER);
    if (parent !== undefined) chunk.writeUInt32BE(parent, at + before + PARENT_NUMBER);
  });
}

/** Builds `count` attributes with different names. `number` is the number of the protobuf field that contains them. */
export function attributes(number: number, count: number): Pieces {
  const template = small(number, small(1, 'k0000000'), small(2, small(1, 'v')));
  const digits = template.indexOf('k') + 1;
  return copies(template, count, (chunk, at, index) => {
    chunk.write(String(index).padStart(7, '0'), at + digits, 'latin1');
  });
}

/** Builds a request of one root span with additional fields. */
export function withSpanFields(fields: Part): Pieces {
  return withScopeFields(field(2, join(spanFields({ trace: 1, span: 1 }), pieces(fields))));
}

/** Builds resources of different services, with one span each. */
export function services(count: number): Pieces {
  const each = Array.from({ length: count }, (_service, index) => {
    const name = small(1, small(1, 'service.name'), small(2, small(1, `s${index}`)));
    return small(1, small(1, name), small(2, small(2, spanFields({ trace: index, span: index }))));
  });
  return raw(Buffer.concat(each));
}

/** Builds a string inside the given number of nested lists. */
export function nestedValue(levels: number): Buffer {
  let value = small(1, 'x');
  for (let level = 0; level < levels; level += 1) value = small(5, small(1, value));
  return value;
}

export const EMPTY_SPANS = small(2);
export const EMPTY_RESOURCE = small(1);
export const EMPTY_EVENT = small(11);
export const EMPTY_LINK = small(13);
export const EMPTY_ATTRIBUTE = small(9);
