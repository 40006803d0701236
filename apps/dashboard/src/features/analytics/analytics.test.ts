import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findFault,
  findPreset,
  lastDays,
  readRange,
  spanOfPeriod,
  spanOfRange,
  toDays,
} from './data/period.ts';
import { buildSpans, byInterval } from './data/series-spans.ts';
import { formatFrequency } from './dependencies.tsx';
import { describeChange } from './tables/figures.tsx';
import { durationSearch, linkSearch, scopeSearch, timeSearch } from './tables/trace-links.ts';

const now = new Date(2026, 10, 21, 14, 2);

const days = (start: string, end: string) => ({ kind: 'days', period: { start, end } }) as const;

describe('the range of the stats', () => {
  it('is read from the URL', () => {
    const read = (params: Parameters<typeof readRange>[0]) => readRange(params, null, now);
    expect(read({})).toEqual(days('2026-11-15', '2026-11-21'));
    expect(read({ start: '2026-01-01', end: '2026-02-01' })).toEqual(days('2026-01-01', '2026-02-01'));
    expect(read({ start: '2026-11-01' })).toEqual(days('2026-11-01', '2026-11-21'));
    expect(read({ start: '2027-01-01' })).toEqual(days('2027-01-01', '2027-01-01'));
    expect(read({ end: '2026-03-03' })).toEqual(days('2026-02-25', '2026-03-03'));
    expect(read({ last: '6h' })).toEqual({ kind: 'last', last: '6h' });
  });

  it.each([
    ['4 minutes', 4, 1, { kind: 'last', last: '1h' }],
    ['5 hours', 5 * 60, 1, { kind: 'last', last: '6h' }],
    ['20 hours', 20 * 60, 20 * 60, { kind: 'last', last: '24h' }],
    ['three days', 3 * 1440, 1, days('2026-11-18', '2026-11-21')],
    ['two months', 60 * 1440, 1, days('2026-11-15', '2026-11-21')],
    ['two months, the last three weeks ago', 60 * 1440, 21 * 1440, days('2026-10-23', '2026-11-21')],
    ['two years, the last one year ago', 730 * 1440, 365 * 1440, days('2025-11-15', '2025-11-21')],
  ])('fits the available data if the URL names no range: data of %s', (_of, first, last, range) => {
    const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
    expect(readRange({}, { first: ago(first), last: ago(last) }, now)).toEqual(range);
  });

  it.each([
    ['1h', 60_000],
    ['6h', 5 * 60_000],
    ['24h', 3_600_000],
  ] as const)('of the last %s ends with the current interval', (last, partMs) => {
    const range = { kind: 'last', last } as const;
    const { from, to } = spanOfRange(range, now);
    expect(to - from).toBe(Number.parseInt(last, 10) * 3_600_000);
    expect(to).toBeGreaterThan(now.getTime());
    expect(to - partMs).toBeLessThanOrEqual(now.getTime());
    expect((to - new Date(2026, 10, 21).getTime()) % partMs).toBe(0);
    expect(toDays(range, now).end).toBe('2026-11-21');
  });

  it.each([
    ['2026-11-21', '2026-11-20', /must not be before/],
    ['2025-01-01', '2026-11-20', /longer than 400 days/],
    ['2026-11-20', '2026-11-20', undefined],
    ['2025-10-18', '2026-11-21', undefined],
  ])('from %s to %s is valid or has the fault %s', (start, end, fault) => {
    const found = findFault(days(start, end));
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(fault);
  });

  it('has a matching preset, if any', () => {
    const last = (count: number) => ({ kind: 'days', period: lastDays(count, now) }) as const;
    expect(findPreset(last(30), now)).toBe('30');
    expect(findPreset(last(1), now)).toBe('1');
    expect(findPreset({ kind: 'last', last: '24h' }, now)).toBe('24h');
    expect(findPreset(days('2026-01-01', '2026-01-02'), now)).toBeUndefined();
  });

  it('reaches from midnight to midnight across months, years and daylight saving changes', () => {
    const { from, to } = spanOfPeriod({ start: '2026-12-31', end: '2026-12-31' });
    expect(new Date(from)).toEqual(new Date(2026, 11, 31));
    expect(new Date(to)).toEqual(new Date(2027, 0, 1));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 400 }), (ago, days) => {
        const end = new Date(2026, 10, 21 - ago);
        const span = spanOfPeriod(lastDays(days, end));
        const hours = (span.to - span.from) / 3_600_000;
        expect(Math.abs(hours - days * 24)).toBeLessThanOrEqual(1);
        expect(findFault({ kind: 'days', period: lastDays(days, end) })).toBeUndefined();
      }),
    );
  });
});

describe('the intervals of a range', () => {
  const range = {
    startDate: '2026-03-29T00:00:00Z',
    endDate: '2026-03-29T03:00:00Z',
    timeZone: 'UTC',
    interval: 'hour' as const,
    shownSince: null,
    sampleRate: null,
  };

  it("end at the next interval's start, and the last interval has the same length", () => {
    const spans = buildSpans(range, [{ time: '2026-03-29T00:00:00Z' }, { time: '2026-03-29T01:00:00Z' }]);
    expect(spans.map(({ from, to }) => (to - from) / 3_600_000)).toEqual([1, 1]);
    expect(buildSpans(range, [])).toEqual([]);
    expect(byInterval(range)).toBe('by hour');
  });
});

describe('links to traces', () => {
  it('end a time range at its last microsecond, since the list includes the end', () => {
    expect(timeSearch({ from: 0, to: 3_600_000 })).toEqual({
      from: '1970-01-01T00:00:00.000Z',
      to: '1970-01-01T00:59:59.999999Z',
    });
  });

  it('have a maximum for the unbounded range of durations', () => {
    expect(durationSearch({ from: 1000, to: Number.POSITIVE_INFINITY })).toEqual({
      min: '1000',
      max: '999999999999',
    });
    expect(durationSearch({ from: 0.1 + 0.2, to: 1 })).toEqual({ min: '0.3', max: '0.999' });
  });

  it('contain the filters of a figure', () => {
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
    const span = spanOfPeriod({ start: '2026-11-20', end: '2026-11-20' });
    const scope = { project: 'p', span, service: 'shop' };
    expect(scopeSearch(scope, { status: 'error' })).toMatchObject({
      project: 'p',
      service: 'shop',
      status: 'error',
      from: new Date(2026, 10, 20).toISOString(),
    });
  });
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
])('%s per minute is formatted as %s', (perMinute, text) => {
  expect(formatFrequency(perMinute)).toBe(text);
});
