import { expect, it } from 'vitest';
import { aStep } from '../step.fixture.ts';
import { describeRowResult } from './row-result.ts';

it.each([
  ['a number', { variables: { returnValue: 0.5 } }, '= 0.5'],
  ['a text', { variables: { returnValue: '2025-03-03' } }, '= "2025-03-03"'],
  ['false', { variables: { returnValue: false } }, '= false'],
  ['null', { variables: { returnValue: null } }, '= null'],
  ['an object', { variables: { returnValue: { rate: 0.2 } } }, '= { rate: 0.2 }'],
  ['undefined', { variables: { returnValue: { $type: 'undefined' } } }, undefined],
  ['a result that was not loaded', {}, undefined],
  ['an error', { variables: { returnValue: 1 }, error: { message: 'failed' } }, undefined],
] as const)("a function's row describes the result, or nothing: %s", (_, more, text) => {
  expect(describeRowResult(aStep('work', more))).toBe(text);
});

it('the row of a handler describes no result, because the response has its own tab', () => {
  expect(describeRowResult(aStep('route', { stepType: 'handler', variables: { returnValue: 1 } }))).toBe(
    undefined,
  );
});
