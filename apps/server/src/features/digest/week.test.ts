import { expect, test } from 'vitest';
import { findDueWeek, findWeekBefore, formatWeek } from './week.ts';

const findName = (at: string) => findDueWeek(new Date(at))?.name;

test.each([
  ['2026-11-30T08:00:00Z', '2026-11-30'],
  ['2026-12-06T23:59:59Z', '2026-11-30'],
  ['2026-12-07T00:00:00Z', undefined],
  ['2026-12-07T07:59:59Z', undefined],
  ['2026-12-07T08:00:00Z', '2026-12-07'],
  ['2027-01-03T12:00:00Z', '2026-12-28'],
])('at %s the digest of the week that ends on %s is due', (at, name) => {
  expect(findName(at)).toBe(name);
});

test('a week has seven days and ends on Monday at 8:00 UTC', () => {
  const week = findDueWeek(new Date('2027-01-04T09:30:00Z'));
  if (week === undefined) throw new Error('no week is due');
  expect([week.from, week.until].map((at) => at.toISOString())).toEqual([
    '2026-12-28T08:00:00.000Z',
    '2027-01-04T08:00:00.000Z',
  ]);
  expect(findWeekBefore(week).from.toISOString()).toBe('2026-12-21T08:00:00.000Z');
  expect(formatWeek(week)).toBe('28 December to 4 January 2027');
});
