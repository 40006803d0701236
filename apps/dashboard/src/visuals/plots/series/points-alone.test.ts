import { expect, it } from 'vitest';
import { findPointsAlone } from './points-alone.ts';

it.each([
  [[], []],
  [[3], [0]],
  [[null, 3, null], [1]],
  [
    [0, null, 2],
    [0, 2],
  ],
  [[1, 2, null, null, 5, null, 7, 8], [4]],
  [[null, undefined], []],
])('the values %j have isolated points at %j', (values, places) => {
  expect(findPointsAlone(values)).toEqual(places);
});
