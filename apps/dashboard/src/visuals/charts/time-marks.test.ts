import { expect, it } from 'vitest';
import { describeMarks, findMarksWithin } from './time-marks.ts';

const mark = (at: number) => ({ at, name: `v${at}` });

it('a chart shows only the marks within its time range, in order of time', () => {
  expect(findMarksWithin([30, 10, 20, 0, 40].map(mark), { from: 10, to: 40 })).toEqual(
    [10, 20, 30].map(mark),
  );
});

it('a chart with too many marks shows only the latest marks', () => {
  const many = Array.from({ length: 50 }, (_, index) => mark(index));
  expect(findMarksWithin(many, { from: 0, to: 50 })).toEqual(many.slice(-12));
});

it('the description of the marks of a chart contains their names and times', () => {
  expect(describeMarks([mark(1), mark(2)], (ms) => `${ms} ms`)).toBe(
    'Releases: v1 since 1 ms, v2 since 2 ms',
  );
});
