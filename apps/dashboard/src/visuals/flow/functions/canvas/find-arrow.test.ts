import { expect, it } from 'vitest';
import type { Arrow } from '../layout/layout-types.ts';
import { findArrow, listArrowLines } from './find-arrow.ts';

const curved: Arrow = {
  points: [
    { x: 0, y: 0 },
    { x: 200, y: 100 },
  ],
  squareFrom: undefined,
};
const square: Arrow = {
  points: [
    { x: 300, y: 0 },
    { x: 300, y: 50 },
    { x: 340, y: 50 },
  ],
  squareFrom: 0,
};
const lines = listArrowLines(
  new Map([
    ['curved', curved],
    ['square', square],
  ]),
);

it('the arrow under a point is found, whether the arrow is curved or has right angles', () => {
  expect(findArrow(lines, { x: 100, y: 50 }, 4)).toBe('curved');
  // The curve begins vertically, so it is nearer to this point than a straight line would be.
  expect(findArrow(lines, { x: 9, y: 16 }, 4)).toBe('curved');
  expect(findArrow(lines, { x: 302, y: 30 }, 4)).toBe('square');
  expect(findArrow(lines, { x: 330, y: 52 }, 4)).toBe('square');
});

it('a point that is too far from all arrows has no arrow', () => {
  expect(findArrow(lines, { x: 60, y: 60 }, 4)).toBeUndefined();
  expect(findArrow(lines, { x: 330, y: 20 }, 4)).toBeUndefined();
  expect(findArrow([], { x: 0, y: 0 }, 4)).toBeUndefined();
});

it('of two arrows near a point, the nearer is found', () => {
  const parallel = listArrowLines(
    new Map(
      [0, 5].map((x) => [
        `at ${x}`,
        {
          points: [
            { x, y: 0 },
            { x, y: 90 },
          ],
          squareFrom: 0,
        },
      ]),
    ),
  );
  expect(findArrow(parallel, { x: 1, y: 40 }, 9)).toBe('at 0');
  expect(findArrow(parallel, { x: 4, y: 40 }, 9)).toBe('at 5');
});
