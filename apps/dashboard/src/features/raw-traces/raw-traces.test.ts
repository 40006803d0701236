import { describe, expect, it } from 'vitest';
import { summarise } from './summary.ts';
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

describe('the summary', () => {
  const rows = [{ timing: { duration: 10 } }, { timing: { duration: 20 } }];

  it('counts what matches, and averages what is listed', () => {
    expect(summarise({ all: 8, errors: 2 }, rows)).toEqual({
      total: 8,
      errors: 2,
      successRate: 75,
      averageMs: 15,
    });
  });

  it('has no rate and no average of nothing', () => {
    expect(summarise({ all: 0, errors: 0 }, [])).toEqual({
      total: 0,
      errors: 0,
      successRate: null,
      averageMs: null,
    });
  });

  it('never counts more errors than traces, though one came between the two counts', () => {
    expect(summarise({ all: 3, errors: 4 }, rows)).toMatchObject({ errors: 3, successRate: 0 });
  });
});
