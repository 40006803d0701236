import { expect, it } from 'vitest';
import { aStep } from '../../../visuals/steps/step.fixture.ts';
import { findPlace } from './use-follow-compared.ts';

it("a compared result is followed as the step's return value, or as the step's outputs if the step has no return value", () => {
  const returned = aStep('a', { variables: { parameters: {}, returnValue: 712 }, outputs: 712 });
  expect(findPlace('returnValue', [], returned)).toBe('returnValue');
  expect(findPlace('returnValue', [], aStep('a', { outputs: 712 }))).toBe('outputs');
});

it('errors, missing values and very common values, such as true, cannot be followed', () => {
  const step = aStep('a', { inputs: { order: { id: 'o-71', paid: true } } });
  expect(findPlace('inputs', ['order', 'id'], step)).toBe('inputs');
  expect(findPlace('inputs', ['order', 'paid'], step)).toBeUndefined();
  expect(findPlace('inputs', ['order', 'gone'], step)).toBeUndefined();
  expect(findPlace('error', [], step)).toBeUndefined();
});
