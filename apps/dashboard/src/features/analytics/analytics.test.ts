import { describe, expect, it } from 'vitest';
import { toPeriodSpan } from '../../shell/time-range/calendar-days.ts';
import type { LastRange } from '../../shell/time-range/time-range.ts';
import { findFault, readRange } from './data/period.ts';
import { buildSpans, describeInterval } from './data/series-spans.ts';
import { formatFrequency } from './dependencies.tsx';
import { describeChange } from './tables/figures.tsx';
import {
  buildAreaSearch,
  buildDurationSearch,
  buildScopeSearch,
  linkSearch,
  timeSearch,
} from './tables/trace-links.ts';

const now = new Date(2026, 10, 21, 14, 2);

const last = (value: LastRange) => ({ kind: 'last', last: value }) as const;
const days = (start: string, end: string) => ({ kind: 'days', period: { start, end } }) as const;

describe('the range of the stats', () => {
  it('is read from the URL, where two instants describe a zoom into a wider range', () => {
    const read = (params: Parameters<typeof readRange>[0]) => readRange(params, null, now);
    const [from, to] = ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z'];
    expect(read({})).toEqual(last('7d'));
    expect(read({ start: '2026-01-01', end: '2026-02-01' })).toEqual(days('2026-01-01', '2026-02-01'));
    expect(read({ last: '6h', from, to })).toEqual(last('6h'));
    expect(read({ last: '6h', from })).toEqual({ kind: 'instants', from, to: undefined });
  });

  it.each([
    ['4 minutes', 4, 1, last('1h')],
    ['5 hours', 5 * 60, 1, last('6h')],
    ['20 hours', 20 * 60, 20 * 60, last('24h')],
    ['three days', 3 * 1440, 1, days('2026-11-18', '2026-11-21')],
    ['two months', 60 * 1440, 1, last('7d')],
    ['two months, the last three weeks ago', 60 * 1440, 21 * 1440, last('30d')],
    ['two years, the last one year ago', 730 * 1440, 365 * 1440, days('2025-11-15', '2025-11-21')],
  ])(
    'is chosen to fit the stored traces if the URL names no range: traces of %s',
    (_of, first, latest, range) => {
      const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
      expect(readRange({}, { first: ago(first), last: ago(latest) }, now)).toEqual(range);
    },
  );

  it.each([
    ['2026-11-21', '2026-11-20', /must not be before/],
    ['2025-01-01', '2026-11-20', /longer than 400 days/],
    ['2026-11-20', '2026-11-20', undefined],
    ['2025-10-18', '2026-11-21', undefined],
  ])('from %s to %s has the error %s (undefined if the range is valid)', (start, end, fault) => {
    const found = findFault(days(start, end), now);
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(fault);
  });

  it.each([
    ['2026-11-20T10:00:00Z', undefined],
    ['2026-11-30T10:00:00Z', /future/],
    ['2025-01-01T10:00:00Z', /longer than 400 days/],
  ])('that begins at %s and ends now has the error %s (undefined if the range is valid)', (from, fault) => {
    const found = findFault({ kind: 'instants', from, to: undefined }, now);
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(fault);
  });
});

describe('the intervals of a range', () => {
  const range = {
    startDate: '2026-03-29T00:00:00Z',
    endDate: '2026-03-29T03:00:00Z',
    timeZone: 'UTC',
    interval: 'hour' as const,
    shownSince: null,
    previous: null,
    sampleRate: null,
  };

  it('end where the next interval begins; the last interval is as long as the others', () => {
    const spans = buildSpans(range, [{ time: '2026-03-29T00:00:00Z' }, { time: '2026-03-29T01:00:00Z' }]);
    expect(spans.map(({ from, to }) => (to - from) / 3_600_000)).toEqual([1, 1]);
    expect(buildSpans(range, [])).toEqual([]);
    expect(describeInterval(range)).toBe('by hour');
  });
});

describe('links to traces', () => {
  it('contain the last microsecond of a time range as its end, since the trace list includes the end of a range', () => {
    expect(timeSearch({ from: 0, to: 3_600_000 })).toEqual({
      from: '1970-01-01T00:00:00.000Z',
      to: '1970-01-01T00:59:59.999999Z',
    });
  });

  it('contain a maximum duration, even for the last bar of a duration chart, which has no upper end', () => {
    expect(buildDurationSearch({ from: 1000, to: Number.POSITIVE_INFINITY })).toEqual({
      min: '1000',
      max: '999999999999',
    });
    expect(buildDurationSearch({ from: 0.1 + 0.2, to: 1 })).toEqual({ min: '0.3', max: '0.999' });
  });

  it('filter by the group that the clicked number counts', () => {
    const alike = {
      route: '/orders/:id',
      method: 'GET',
      status: 'error',
      service: 'shop',
      environment: 'production',
      release: 'a1',
      endpoint: '/orders/:id',
      stepName: 'load',
      stepType: 'database',
      minSteps: '3',
      country: 'DE',
      users: 'known',
      statusClass: 'other',
    };
    const [from, to] = ['2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'];
    expect(
      linkSearch({
        ...alike,
        projectId: 'p',
        startDate: from,
        endDate: to,
        statusCode: '500',
        search: 'orders',
      }),
    ).toEqual({ ...alike, project: 'p', from, to, code: '500', q: 'orders' });
    expect(linkSearch({ projectId: 'p', minDuration: '500', status: 'odd' })).toMatchObject({
      min: '500',
      max: '999999999999',
      status: undefined,
    });
  });

  it('include the whole last day of a range of days', () => {
    const { from, to } = linkSearch({ startDate: '2026-11-20', endDate: '2026-11-21' });
    expect(new Date(from ?? '')).toEqual(new Date(2026, 10, 20));
    expect(new Date(to ?? '').getTime()).toBe(new Date(2026, 10, 22).getTime() - 1);
  });

  it('keep the filters of the page', () => {
    const span = toPeriodSpan({ start: '2026-11-20', end: '2026-11-20' });
    const scope = { project: 'p', span, service: 'shop' };
    expect(buildScopeSearch(scope, { status: 'error' })).toMatchObject({
      project: 'p',
      service: 'shop',
      status: 'error',
      from: new Date(2026, 10, 20).toISOString(),
    });
  });
});

it('selected cells of the heatmap link to a list of their requests; if the selection covers all durations, the list is filtered only by time', () => {
  const time = toPeriodSpan({ start: '2026-11-20', end: '2026-11-20' });
  const scope = { project: 'p', span: { from: 0, to: 1 }, service: 'shop' };
  const build = (from: number, to: number) => buildAreaSearch(scope, { time, duration: { from, to } });
  const all = build(0, Number.POSITIVE_INFINITY);
  expect(all).toEqual({ project: 'p', service: 'shop', ...timeSearch(time) });
  expect(build(0, 100)).toEqual({ ...all, min: '0', max: '99.999' });
  expect(build(100, Number.POSITIVE_INFINITY)).toEqual({ ...all, min: '100', max: '999999999999' });
});

it.each([
  [110, 100, '+10.0 %,', 'up'],
  [50, 100, '−50.0 %,', 'down'],
  [5, 5, 'unchanged,', 'same'],
  [5, 0, 'new,', 'up'],
  [5, null, 'no earlier data', 'same'],
  [null, 5, '', 'same'],
] as const)('the change to %s from %s is described as "%s"', (value, before, text, direction) => {
  expect(describeChange(value, before)).toEqual({ text, direction });
});

it.each([
  [1234.4, '1,234/min'],
  [1, '1/min'],
  [0.99, '59/h'],
  [0.015, '22/day'],
  [0.0001, '0.14/day'],
])('a rate of %s requests per minute is formatted as %s', (perMinute, text) => {
  expect(formatFrequency(perMinute)).toBe(text);
});
