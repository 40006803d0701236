import { SPAN_LIMITS } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildJsonRequest,
  encodeRequest,
  field,
  repeat,
  spanFields,
  spanMembers,
  TRACE_ID,
} from '../fixtures/wire.ts';
import { decodeJson } from './decode-json.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import { RequestCounts } from './request-counts.ts';
import { SpanOfFullTrace, UnreadableSpan } from './sent-span.ts';
import { MalformedMessage } from './wire-reader.ts';

const OTHER = 'cd'.repeat(16);
const FULL = new Set([TRACE_ID]);
const ENCODINGS = { protobuf: decodeProtobuf, JSON: decodeJson } as const;

function decode(
  encoding: keyof typeof ENCODINGS,
  body: Buffer | string,
  fullTraces: ReadonlySet<string> = FULL,
) {
  return [...ENCODINGS[encoding](Buffer.from(body), new RequestCounts(), fullTraces)];
}

/** Bytes that are not valid UTF-8, used as a span's name. A decoder that reads more of the span than its trace id rejects the span. */
const NO_TEXT = Buffer.from([0xff, 0xfe]);

describe('spans of a full trace', () => {
  test('are not decoded from protobuf, wherever the trace id is in the span', () => {
    const traceId = field(1, Buffer.from(TRACE_ID, 'hex'));
    const unreadable = field(5, NO_TEXT);
    const spans = [
      [traceId, unreadable],
      [unreadable, traceId],
      [field(1, Buffer.from(OTHER, 'hex')), unreadable, traceId],
    ].map((parts) => field(2, ...parts));
    expect(decode('protobuf', encodeRequest(...spans))).toEqual(
      spans.map(() => new SpanOfFullTrace(TRACE_ID)),
    );
  });

  test('are not decoded from JSON, wherever the trace id is in the span', () => {
    const traceId = `"traceId":"${TRACE_ID.toUpperCase()}"`;
    const spans = [
      `{${traceId},"kind":"NO_KIND"}`,
      `{"kind":"NO_KIND",${traceId}}`,
      `{"traceId":"${OTHER}","kind":"NO_KIND","\\u0074raceId":"${TRACE_ID}"}`,
    ];
    expect(decode('JSON', buildJsonRequest(spans.join()))).toEqual(
      spans.map(() => new SpanOfFullTrace(TRACE_ID)),
    );
  });

  test("are read without their attributes, so that their values do not count towards the request's limits", () => {
    const attributes = repeat(field(9, field(1, Buffer.from('a'))), 1000);
    const counts = new RequestCounts();
    const spans = repeat(field(2, spanFields(1, { more: attributes })), 100);
    expect([...decodeProtobuf(encodeRequest(spans), counts, FULL)]).toHaveLength(100);
    expect(counts.needsWorker).toBe(false);
    for (const _span of decodeProtobuf(encodeRequest(spans), counts, new Set()));
    expect(counts.needsWorker).toBe(true);
  });
});

test.each(['protobuf', 'JSON'] as const)(
  'spans of other traces are decoded as if no trace were full, from %s',
  (encoding) => {
    const traceId = fc.constantFrom(TRACE_ID, OTHER);
    fc.assert(
      fc.property(
        fc.array(fc.record({ traceId, id: fc.integer({ min: 1, max: 9 }) }), { maxLength: 8 }),
        (sent) => {
          const body =
            encoding === 'protobuf'
              ? encodeRequest(...sent.map(({ id, ...given }) => field(2, spanFields(id, given))))
              : buildJsonRequest(
                  sent
                    .map(({ id, ...given }) => `{${spanMembers(id).replace(TRACE_ID, given.traceId)}}`)
                    .join(),
                );
          const all = decode(encoding, body, new Set());
          const expected = all.map((span, index) =>
            sent[index]?.traceId === TRACE_ID ? new SpanOfFullTrace(TRACE_ID) : span,
          );
          expect(decode(encoding, body)).toEqual(expected);
        },
      ),
    );
  },
);

test("a field with the number 0 makes the request malformed, whether or not the field's span belongs to a full trace", () => {
  const zero = Buffer.from([0 * 8 + 0, 1]);
  const span = spanFields(1);
  const bodies = [Buffer.concat([zero, span]), Buffer.concat([span, zero])].map((fields) =>
    encodeRequest(field(2, fields)),
  );
  for (const body of bodies) {
    for (const fullTraces of [FULL, new Set<string>(), new Set([OTHER])]) {
      expect(() => decode('protobuf', body, fullTraces)).toThrow(
        new MalformedMessage('a field has the number 0'),
      );
    }
  }
});

const PADDING = 'x'.repeat(SPAN_LIMITS.spanBytes.max);

test.each([
  ['a trace id that is an object', '{"traceId":{"toString":1}}'],
  ['a list with the id of the full trace as trace id', `{"traceId":["${TRACE_ID}"]}`],
  ['too many bytes and invalid JSON', `{"traceId":"${OTHER}","x":"${PADDING}","z" 1}`],
  ['no members', '[]'],
])(
  'an unreadable span with %s is rejected as if no trace were full, and the next span is read',
  (_, span) => {
    const body = buildJsonRequest(`${span},{${spanMembers(1).replace(TRACE_ID, OTHER)}}`);
    expect(decode('JSON', body)).toEqual([expect.any(UnreadableSpan), expect.any(Array)]);
    expect(decode('JSON', body)).toEqual(decode('JSON', body, new Set()));
  },
);
