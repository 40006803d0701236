import { describe, expect, it } from 'vitest';
import {
  createTimeFormatter,
  formatClock,
  formatDate,
  formatInstant,
  formatRelative,
  formatStart,
} from './relative-time.ts';

const now = new Date(2026, 10, 21, 14, 2, 10, 231).getTime();
const second = 1000;
const hour = 3600 * second;

describe('relative time', () => {
  it.each([
    [0, 'just now'],
    [-30 * second, 'just now'],
    [1.9 * second, 'just now'],
    [2 * second, '2 s ago'],
    [59.9 * second, '59 s ago'],
    [60 * second, '1 min ago'],
    [59.9 * 60 * second, '59 min ago'],
    [hour, '1 h ago'],
    [23.9 * hour, '23 h ago'],
    [24 * hour, '1 d ago'],
    [29.9 * 24 * hour, '29 d ago'],
    [31 * 24 * hour, '2026-10-21'],
    [-2 * hour, '2026-11-21'],
  ])('for %d ms ago is "%s"', (ago, text) => {
    expect(formatRelative(now - ago, now)).toBe(text);
  });
});

it('dates and times are shown with leading zeros', () => {
  expect(formatDate(new Date(2026, 0, 5).getTime())).toBe('2026-01-05');
  expect(formatClock(new Date(2026, 0, 5, 4, 3, 2, 1).getTime())).toBe('04:03:02.001');
  expect(formatInstant(now)).toMatch(/^2026-11-21 14:02:10\.231 UTC[+−]\d{1,2}(:\d{2})?$/);
});

it('the start of a time range is shown in hours and minutes, with the date unless the range starts today', () => {
  expect(formatStart(new Date(2026, 10, 21, 9, 5, 59).getTime(), now)).toBe('09:05');
  expect(formatStart(new Date(2026, 10, 14, 14, 2, 10).getTime(), now)).toBe('2026-11-14 14:02');
});

const getNoon = (daysAgo: number) => new Date(2026, 10, 21 - daysAgo, 12).getTime();

it('a time in a range is shown without the day only if the whole range is today', () => {
  expect(createTimeFormatter(getNoon(1), getNoon(1), now)(getNoon(1))).toBe('11-20 12:00:00');
  expect(createTimeFormatter(getNoon(0), now, now)(getNoon(0))).toBe('12:00:00');
});

it('a time in a range of at least a day is shown without seconds', () => {
  expect(createTimeFormatter(getNoon(6), now, now)(getNoon(6))).toBe('11-15 12:00');
  expect(createTimeFormatter(getNoon(6), now, now)(getNoon(0))).toBe('11-21 12:00');
});
