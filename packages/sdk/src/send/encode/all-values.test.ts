import type { CapturedValue } from '@throughline/contract/values';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomValue } from '../../../test/random-value.ts';
import { CaptureRules } from '../../record/capture/capture-rules.ts';
import { defaultLimits } from '../../record/capture/limits.ts';
import { Snapshotter } from '../../record/snapshot/snapshot.ts';
import { buildCaptureRules } from '../../redact/build-capture-rules.ts';
import { makeTrace } from '../trace.fixture.ts';
import { shape, withoutValues } from './all-values.ts';
import { writeTrace } from './write-trace.ts';

const limits = { ...defaultLimits, depth: 6, stepBytes: 4_000_000, requestBytes: 16_000_000 };

function taken(value: unknown, rules: CaptureRules): CapturedValue {
  const snapshotter = new Snapshotter(limits, rules);
  snapshotter.beginStep();
  return snapshotter.take(value, ['v']).read();
}

const hidden = (of: string) => ({ $type: 'redacted', of });

describe('the option that hides all values', () => {
  it('shows the type of each value, within the structure of the values', () => {
    const rules = buildCaptureRules('all-values');
    expect(taken({ a: 'x', b: [1, true, null, undefined], c: new Map([['k', new Date()]]) }, rules)).toEqual({
      a: hidden('string'),
      b: [hidden('number'), hidden('boolean'), null, { $type: 'undefined' }],
      c: { $type: 'Map', size: 1, entries: [[hidden('string'), hidden('Date')]] },
    });
  });

  it('redacts the same values during capture and afterwards', () => {
    fc.assert(
      fc.property(randomValue, (value) => {
        expect(taken(value, new CaptureRules(null, true))).toEqual(
          JSON.parse(JSON.stringify(shape(taken(value, new CaptureRules(null))))),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves no value in a trace, and keeps all marks that the recorder adds', () => {
    const trace = makeTrace('a', { note: 'private-1', amount: 77 });
    const [step] = trace.flow;
    if (step === undefined) throw new Error('there is a step');
    const marks = { rethrown: true, unfinished: true, detached: true, notAttributed: true };
    const whole = {
      ...trace,
      request: {
        ...trace.request,
        url: 'http://h/orders/17?q=private-2',
        headers: { 'x-note': ['private-3'] },
        query: { q: 'private-2' },
        body: [{ $type: 'string' as const, value: 'private-4', length: 900 }],
      },
      response: { statusCode: 500, body: 'private-5' },
      error: { hasError: true, errorMessage: 'private-6', errorCode: 'E_X' },
      user: { id: '17', name: 'private-7' },
      attributes: { plan: 'private-8', 'throughline.aborted': true },
      flow: [
        {
          ...step,
          error: {
            message: 'private-6',
            name: 'TypeError',
            stack: 'TypeError: private-6\nprivate-6\n    at f (a.js:1:2)',
          },
          metadata: { ...marks, statement: 'private-9' },
        },
      ],
    };
    const text = writeTrace(withoutValues(whole), null).toString();
    expect(text).not.toContain('private');
    expect(text).not.toContain('77');
    expect(JSON.parse(text)).toMatchObject({
      request: { path: '/orders/17', url: 'http://h/orders/17', headers: { 'x-note': [hidden('string')] } },
      error: { hasError: true, errorCode: 'E_X' },
      user: { id: '17', name: hidden('string') },
      attributes: { plan: hidden('string'), 'throughline.aborted': true },
      flow: [
        {
          inputs: { note: hidden('string'), amount: hidden('number') },
          error: { name: 'TypeError', stack: expect.stringContaining('at f (a.js:1:2)') },
          metadata: { ...marks, statement: hidden('string') },
        },
      ],
    });
  });
});
