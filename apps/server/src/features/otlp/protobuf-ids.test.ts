import { otlpProtobuf, otlpRequest } from '@throughline/testkit/otlp';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeProtobuf } from './decode/decode-protobuf.ts';
import { RequestCounts } from './decode/request-counts.ts';

/** Four ids, two of which differ only in their last two digits. */
const id = (digits: number) =>
  fc.constantFrom('0', '1', '2', '10').map((end) => `${end.padEnd(digits - 2, '0')}${end.padStart(2, '0')}`);

test('spans keep the ids and times with which they were sent, whatever ids and times the previous span had', () => {
  const nanos = fc.bigInt(0n, 2n ** 64n - 1n).map(String);
  const span = fc.record({
    traceId: id(32),
    spanId: id(16),
    parentSpanId: id(16),
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
  });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 20 }), (spans) => {
      const request = otlpRequest(
        'shop',
        spans.map((each) => ({ ...each, name: 'work', kind: 1, attributes: [] })),
      );
      const read = [...decodeProtobuf(otlpProtobuf(request), new RequestCounts(), new Set())].map((sent) => {
        if (!('1' in sent)) throw new Error('a span was not read');
        const [{ traceId, spanId, parentSpanId, startNanos, endNanos }] = sent;
        return {
          traceId,
          spanId,
          parentSpanId,
          startTimeUnixNano: String(startNanos),
          endTimeUnixNano: String(endNanos),
        };
      });
      expect(read).toEqual(spans);
    }),
  );
});
