import { expect, it } from 'vitest';
import { readArea, writeArea } from './area-param.ts';

const START = '2026-11-20T10:00:00.000Z';
const END = '2026-11-20T11:00:00.000Z';
const time = { from: Date.parse(START), to: Date.parse(END) };

it.each([
  [`${START}_${END}_100_300`, { time, duration: { from: 100, to: 300 } }],
  [`${START}_${END}_0.5_`, { time, duration: { from: 0.5, to: Number.POSITIVE_INFINITY } }],
])('an area is read from the URL as it was written: %s', (text, area) => {
  expect(writeArea(area)).toBe(text);
  expect(readArea(text)).toEqual(area);
});

it.each([
  '',
  'no such word',
  `${START}_${END}`,
  `${START}_${END}_100_300_`,
  `${START}_${END}_-1_300`,
  `${START}_${END}_100_NaN`,
  `${END}_${START}_100_300`,
  `${START}_${END}_300_300`,
  `2026-99-99T10:00:00.000Z_${END}_100_300`,
])('a text that is no area, or an empty area, is ignored: %j', (text) => {
  expect(readArea(text)).toBeUndefined();
});
