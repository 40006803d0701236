import type { Step } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { describeMissingValues } from './missing-values.ts';

const NONE = { steps: 0, values: 0, bytes: 0 };
const ALL = ['Parameters', 'Return value', 'Inputs'];

function aStep(given: Partial<Step>): Step {
  return {
    stepId: '1',
    parentStepId: null,
    sequence: 0,
    stepName: 'load',
    stepType: 'function',
    startTime: '2026-11-23T00:00:00.000000Z',
    endTime: '2026-11-23T00:00:00.000000Z',
    duration: 0,
    functionName: 'load',
    filePath: 'src/load.ts',
    lineNumber: 1,
    error: null,
    ...given,
  };
}

describe("the reason for a step's missing values", () => {
  it('is that the function threw', () => {
    const step = aStep({ variables: { capturedAt: 'throw', parameters: {} }, error: { message: 'no' } });
    expect(describeMissingValues(step, ['Return value', 'Inputs'], { dropped: NONE })).toBe(
      'No return value: the function threw. Not captured: inputs.',
    );
  });

  it('is that the function was still running', () => {
    const step = aStep({ metadata: { unfinished: true } });
    expect(describeMissingValues(step, ['Return value'], { dropped: NONE })).toBe(
      'No return value: the function was still running when the request ended.',
    );
  });

  it.each<[string, Partial<Step>, number, string]>([
    [
      'library code',
      { filePath: 'node_modules/pg/lib/client.js' },
      0,
      '(values of library code are not recorded)',
    ],
    ['a limit', {}, 5, '(the recording reached a limit)'],
    ['the capture mode', {}, 0, 'capture mode structure'],
  ])('is %s if the step has no values at all', (_name, given, bytes, text) => {
    const dropped = { ...NONE, bytes };
    expect(describeMissingValues(aStep(given), ALL, { dropped })).toContain(text);
  });

  it('is omitted for values that no step of the same type has', () => {
    const step = aStep({ stepType: 'database', inputs: {} });
    expect(describeMissingValues(step, ['Parameters'], { dropped: NONE })).toBe('Not captured: parameters.');
  });
});
