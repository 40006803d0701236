import type { ValueLink, ValueOrigin } from '@throughline/contract';
import { expect, it } from 'vitest';
import { aForest, aStep } from '../../../visuals/steps/step.fixture.ts';
import { listPathPlaces } from './list-path-places.ts';

const link = (stepId: string | null, more: Partial<ValueLink> = {}): ValueLink => ({
  stepId,
  name: stepId ?? 'POST /orders',
  type: stepId === null ? null : 'function',
  place: stepId === null ? 'request.body' : 'parameters',
  path: ['buyer'],
  how: 'equal-text',
  note: null,
  ...more,
});

const origin = (more: Partial<ValueOrigin>): ValueOrigin => ({
  value: '"u-71b2"',
  asked: link('b1'),
  refusal: null,
  origin: null,
  code: null,
  came: [],
  cameMore: 0,
  went: [],
  wentMore: 0,
  ...more,
});

const forest = aForest(['a1', 'b1', 'c1', 'd1'].map((id) => aStep(id)));

it('the occurrences of a followed value are numbered in time order; the numbers of omitted occurrences are skipped', () => {
  const places = listPathPlaces(
    origin({
      came: [link(null), link('a1')],
      cameMore: 3,
      went: [link('c1'), link('d1')],
      wentMore: 10,
    }),
    forest,
  );
  expect(places.map(({ number }) => number)).toEqual([1, 5, 6, 7, 18]);
});

it('each occurrence of a followed value has the step, request or response with the value, the name of the value, how the value was recognized, and whether the step received the value', () => {
  const places = listPathPlaces(
    origin({
      came: [link(null)],
      went: [
        link('c1', { place: 'returnValue', path: [], how: 'as-text' }),
        link('gone'),
        link(null, { place: 'response.body' }),
      ],
    }),
    forest,
  );
  const brief = places.map(({ at, isReceived, what, name, how }) => [
    typeof at === 'string' ? at : at.step.stepId,
    isReceived,
    what,
    name,
    how,
  ]);
  expect(brief).toEqual([
    ['request', false, 'body buyer', 'buyer', 'equal text'],
    ['b1', true, 'parameter buyer', 'buyer', 'equal text'],
    ['c1', false, 'return value', 'return value', 'equal when written as text'],
    ['response', false, 'body buyer', 'buyer', 'equal text'],
  ]);
});
