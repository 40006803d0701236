import { expect, it } from 'vitest';
import { formatStartsWithin } from './starts-within.ts';

const NOW_MS = new Date(2026, 10, 20, 17, 30).getTime();
const at = (day: number, hour: number, minute: number) => new Date(2026, 10, day, hour, minute).toISOString();

it.each([
  ['a short interval today', at(20, 14, 10), at(20, 14, 30), 'since 14:20, ± 10 min'],
  ['a short interval on an earlier day', at(18, 14, 10), at(18, 14, 30), 'since 2026-11-18 14:20, ± 10 min'],
  ['an interval of seconds', at(20, 14, 10), at(20, 14, 10), 'since 14:10, ± 1 min'],
  ['a longer interval today', at(20, 13, 5), at(20, 15, 40), 'between 13:05 and 15:40'],
  [
    'a longer interval of an earlier day',
    at(18, 13, 5),
    at(18, 15, 40),
    'between 2026-11-18 13:05 and 15:40',
  ],
  [
    'an interval over midnight',
    at(18, 22, 0),
    at(19, 1, 30),
    'between 2026-11-18 22:00 and 2026-11-19 01:30',
  ],
])('the time in which a problem began is formatted for %s', (_what, from, to, text) => {
  expect(formatStartsWithin({ from, to }, NOW_MS)).toBe(text);
});
