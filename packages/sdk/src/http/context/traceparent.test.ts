import { expect, test } from 'vitest';
import { parseTraceParent } from './traceparent.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test.each([
  ['sampled', `00-${traceId}-${spanId}-01`, true],
  ['not sampled', `00-${traceId}-${spanId}-00`, false],
  ['another flag set too', `00-${traceId}-${spanId}-03`, true],
  ['a later version with more fields', `cc-${traceId}-${spanId}-01-what-the-future-brings`, true],
])('a valid traceparent header is parsed: %s', (_, header, sampled) => {
  expect(parseTraceParent(header)).toEqual({ traceId, spanId, sampled });
});

test.each([
  ['version ff', `ff-${traceId}-${spanId}-01`],
  ['no trace', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['no span', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['too long for version 00', `00-${traceId}-${spanId}-01-x`],
  ['short', `00-${traceId.slice(1)}-${spanId}-01`],
  ['empty', ''],
  ['huge', `00-${traceId}-${spanId}-01${'-x'.repeat(100_000)}`],
  ['no string', 17],
  ['absent', undefined],
])('an invalid traceparent header is rejected: %s', (_, header) => {
  expect(parseTraceParent(header)).toBeUndefined();
});
