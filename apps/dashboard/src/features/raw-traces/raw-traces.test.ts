import { describe, expect, it } from 'vitest';
import { traceOf } from './trace-of.ts';

const encoder = new TextEncoder();
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('the answer', () => {
  it.each([
    ['{"trace":{"_id":"a"}}', '{"_id":"a"}'],
    ['{"other":{}}', '{"other":{}}'],
    ['{"trace":{"_id"', '{"trace":{"_id"'],
    ['', ''],
  ])('gives the trace in it: %s', (answer, trace) => {
    expect(text(traceOf(encoder.encode(answer)))).toBe(trace);
  });
});
