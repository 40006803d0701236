import { expect, test } from 'vitest';
import { formatTicks } from '../frame/plot-times.ts';
import { findTicks } from './heatmap-ticks.ts';

const MINUTE_MS = 60_000;
const MIDNIGHT = new Date(2026, 10, 22).getTime();

const spans = (count: number, minutes: number, from = MIDNIGHT) =>
  Array.from({ length: count }, (_, index) => ({
    from: from + index * minutes * MINUTE_MS,
    to: from + (index + 1) * minutes * MINUTE_MS,
  }));

const labels = (times: ReturnType<typeof spans>, least: number) =>
  formatTicks(
    findTicks(times, least).map((column) => times[column]?.from ?? 0),
    MIDNIGHT,
  );

test.each([
  [
    'a week of hours in a narrow picture, every two days',
    spans(168, 60),
    47,
    ['11-22', '11-24', '11-26', '11-28'],
  ],
  [
    'a week of hours in a wide picture, every day',
    spans(168, 60),
    13,
    ['11-22', '11-23', '11-24', '11-25', '11-26', '11-27', '11-28'],
  ],
  ['two days of hours, every twelve hours', spans(48, 60), 7, ['11-22', '12:00', '11-23', '12:00']],
  [
    'an hour of minutes that begins at 00:07, every quarter',
    spans(60, 1, MIDNIGHT + 7 * MINUTE_MS),
    11,
    ['00:15', '00:30', '00:45', '01:00'],
  ],
  ['sixty days, every four weeks', spans(60, 1440), 20, ['11-22', '12-20', '01-17']],
])('the labels of a time axis are at round times or whole days: %s', (_what, times, least, expected) => {
  expect(labels(times, least)).toEqual(expected);
});

test('a picture without columns has no labels', () => {
  expect(findTicks([], 5)).toEqual([]);
});
