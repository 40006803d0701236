import { formatInstant, type Step } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { toEntry } from '../../visuals/steps/analysis/bundle-repeats.ts';
import { findFailingStep } from '../../visuals/steps/analysis/step-forest.ts';
import { aForest } from '../../visuals/steps/step.fixture.ts';
import { findSelected } from './opening/find-selected.ts';
import { describeTruncated } from './parts/dropped-text.ts';

const BEGIN = 1_767_225_600_000_000n;

function step(stepId: string, stepName: string, startMs: number, failed = false): Step {
  return {
    stepId,
    parentStepId: null,
    sequence: 0,
    stepName,
    stepType: 'function',
    startTime: formatInstant(BEGIN + BigInt(startMs) * 1000n),
    endTime: formatInstant(BEGIN + BigInt(startMs + 1) * 1000n),
    duration: 1,
    functionName: null,
    filePath: null,
    lineNumber: null,
    error: failed ? { message: 'x' } : null,
  };
}

describe('the selected step', () => {
  const flow = ['q', 'q', 'q'].map((name, i) => step(`q${i}`, name, i));
  const forest = aForest([step('a', 'a', -2), ...flow, step('b', 'b', 9, true)]);
  const failing = findFailingStep(forest, null);
  it.each([
    ['the step in the URL', 'a', 'a'],
    ['the bundle in the URL', '×q0', '×q0'],
    ['a step inside a bundle', 'q1', 'q1'],
    ['the failing step if the URL names none', undefined, 'b'],
    ['the failing step if the URL names an unknown step', 'gone', 'b'],
    ['the failing step if the URL names an unknown bundle', '×q1', 'b'],
    ["the failing step if the URL's parameter is empty", '', 'b'],
  ])('is %s', (_name, wanted, key) => {
    const selected = findSelected(forest, wanted, failing && toEntry(failing));
    expect(selected?.key).toBe(key);
  });

  it('is the first step if no step failed, and undefined if there are no steps', () => {
    expect(findSelected(forest, undefined, undefined)).toMatchObject({ node: { key: 'a' } });
    expect(findSelected(aForest([]), 'a', undefined)).toBeUndefined();
  });
});

it('the facts of a trace list the number of dropped steps, values and bytes, and say if all values are missing', () => {
  const none = { steps: 0, values: 0, bytes: 0 };
  const attributes = { 'throughline.withoutValues': 'backlog' };
  const why = 'sent without values, because too many requests were waiting to be sent';
  expect(describeTruncated({ dropped: none, attributes: {} })).toBe('None');
  expect(describeTruncated({ dropped: none, attributes })).toBe(why);
  const dropped = { steps: 1, values: 1200, bytes: 120_000 };
  expect(describeTruncated({ dropped, attributes: {} })).toBe('1 step, 1,200 values, 120 kB of values');
  expect(describeTruncated({ dropped, attributes })).toBe(`1 step, 1,200 values, 120 kB of values; ${why}`);
});
