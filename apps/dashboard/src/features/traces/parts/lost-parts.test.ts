import type { CapturedValue, Trace } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { describeLostParts } from './lost-parts.ts';
import { aTrace } from './trace.fixture.ts';

const NONE = { steps: 0, values: 0, bytes: 0 };

function describeLost(dropped: Partial<Trace['dropped']>, body?: CapturedValue): string | undefined {
  const trace = aTrace({ responseHeaders: { 'content-length': '9' } });
  return describeLostParts({
    ...trace,
    dropped: { ...NONE, ...dropped },
    response: { ...trace.response, ...(body === undefined ? {} : { body }) },
  });
}

describe('the notice above a trace', () => {
  it('does not mention single missing values, which the value tree marks', () => {
    expect(
      describeLost({ values: 24, bytes: 1200 }, { a: { $type: 'cut', of: 'Socket', reason: 'depth' } }),
    ).toBeUndefined();
    expect(describeLost({})).toBeUndefined();
  });

  it('does not mention the content of an uploaded file, which is never recorded', () => {
    expect(
      describeLost({ values: 1 }, { $type: 'cut', of: 'image/png', size: 9, reason: 'bytes' }),
    ).toBeUndefined();
  });

  it('lists missing steps and bodies that are missing as a whole', () => {
    expect(describeLost({ steps: 1200 }, 'x')).toBe('1,200 steps');
    const cut = { $type: 'cut', of: 'application/json', reason: 'bytes' } as const;
    expect(describeLost({ steps: 1 }, cut)).toBe('1 step and the response body');
    expect(describeLost({ bytes: 9 })).toBe('the response body');
  });
});
