import type { CapturedValue, Step } from '@throughline/contract';
import { expect, test } from 'vitest';
import { listObjectReferences } from './object-references.ts';

function step(stepId: string, seenBefore?: CapturedValue): Step {
  return {
    stepId,
    parentStepId: null,
    sequence: Number(stepId) - 1,
    stepName: `step ${stepId}`,
    stepType: 'function',
    startTime: '2026-01-01T00:00:00.000000Z',
    endTime: '2026-01-01T00:00:00.000001Z',
    duration: 0.001,
    functionName: null,
    filePath: null,
    lineNumber: null,
    variables: { capturedAt: 'exit', ...(seenBefore !== undefined && { seenBefore }) },
    error: null,
  };
}

const first = step('1');

test("an object that is already in an earlier step links to that step, and shows the object's name in that step", () => {
  const later = step('2', { order: ['1', 'return'], this: ['1', 'this'] });
  expect(listObjectReferences(later, [first, later])).toEqual([
    { name: 'order', step: first, nameThere: 'return value' },
    { name: 'this', step: first, nameThere: 'this' },
  ]);
});

test.each<[string, CapturedValue | undefined]>([
  ['no value was seen before', undefined],
  ['the references are redacted', { $type: 'redacted', of: 'object' }],
  ['the earlier step is missing', { order: ['9', 'order'] }],
  ['a reference is not a list', { order: 'x', cart: null, list: [], half: ['1'] }],
  ['the references are not an object', 'order'],
])('no value is linked if %s', (_, seenBefore) => {
  expect(listObjectReferences(step('2', seenBefore), [first])).toEqual([]);
});
