import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFrequency } from './dependencies.tsx';
import { changeOf } from './figures.tsx';
import { faultOf, lastDays, periodOf, presetOf, spanOfPeriod } from './period.ts';
import { byInterval, spansOf } from './series-spans.ts';
import { durationSearch, linkSearch, scopeSearch, timeSearch } from './trace-links.ts';

const now = new Date(2026, 10, 21, 14, 2);

describe('a period', () => {
  it('is the last seven days, today included, unless the address says otherwise', () => {
    expect(periodOf(undefined, undefined, now)).toEqual({ start: '2026-11-15', end: '2026-11-21' });
    expect(periodOf('2026-01-01', '2026-02-01', now)).toEqual({ start: '2026-01-01', end: '2026-02-01' });
    expect(periodOf('2026-11-01', undefined, now)).toEqual({ start: '2026-11-01', end: '2026-11-21' });
    expect(periodOf('2027-01-01', undefined, now)).toEqual({ start: '2027-01-01', end: '2027-01-01' });
    expect(periodOf(undefined, '2026-03-03', now)).toEqual({ start: '2026-02-25', end: '2026-03-03' });
  });

  it.each([
    ['2026-11-21', '2026-11-20', /must not be before/],
    ['2025-01-01', '2026-11-20', /longer than 400 days/],
    ['2026-11-20', '2026-11-20', undefined],
    ['2025-10-18', '2026-11-21', undefined],
  ])('from %s to %s: %s', (start, end, fault) => {
    const found = faultOf({ start, end });
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(fault);
  });

  it('knows its preset', () => {
    expect(presetOf(lastDays(30, now), now)).toBe(30);
    expect(presetOf(lastDays(1, now), now)).toBe(1);
    expect(presetOf({ start: '2026-01-01', end: '2026-01-02' }, now)).toBeUndefined();
  });

  it('reaches from midnight to midnight, over months, years and changes of the clock', () => {
    const { from, to } = spanOfPeriod({ start: '2026-12-31', end: '2026-12-31' });
    expect(new Date(from)).toEqual(new Date(2026, 11, 31));
    expect(new Date(to)).toEqual(new Date(2027, 0, 1));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 400 }), (ago, days) => {
        const end = new Date(2026, 10, 21 - ago);
        const span = spanOfPeriod(lastDays(days, end));
        const hours = (span.to - span.from) / 3_600_000;
        expect(Math.abs(hours - days * 24)).toBeLessThanOrEqual(1);
        expect(faultOf(lastDays(days, end))).toBeUndefined();
      }),
    );
  });
});

describe('parts of a range', () => {
  const range = {
    startDate: '2026-03-29T00:00:00Z',
    endDate: '2026-03-29T03:00:00Z',
    timeZone: 'UTC',
    interval: 'hour' as const,
    shownSince: null,
    sampleRate: null,
  };

  it('end where the next begins, the last with the range', () => {
    const spans = spansOf(range, [{ time: '2026-03-29T00:00:00Z' }, { time: '2026-03-29T01:00:00Z' }]);
    expect(spans.map(({ from, to }) => (to - from) / 3_600_000)).toEqual([1, 2]);
    expect(spansOf(range, [])).toEqual([]);
    expect(byInterval(range)).toBe('by hour');
  });
});

describe('links to traces', () => {
  it('name a stretch by its last microsecond, since the list includes it', () => {
    expect(timeSearch({ from: 0, to: 3_600_000 })).toEqual({
      from: '1970-01-01T00:00:00.000Z',
      to: '1970-01-01T00:59:59.999999Z',
    });
  });

  it('have an end for the band of durations that has none', () => {
    expect(durationSearch({ from: 1000, to: Number.POSITIVE_INFINITY })).toEqual({
      min: '1000',
      max: '999999999999',
    });
    expect(durationSearch({ from: 0.1 + 0.2, to: 1 })).toEqual({ min: '0.3', max: '0.999' });
  });

  it('carry the filters that came with a figure', () => {
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

  it('take days as they are meant: the last one whole', () => {
    const { from, to } = linkSearch({ startDate: '2026-11-20', endDate: '2026-11-21' });
    expect(new Date(from ?? '')).toEqual(new Date(2026, 10, 20));
    expect(new Date(to ?? '').getTime()).toBe(new Date(2026, 10, 22).getTime() - 1);
  });

  it('keep the filters of the scope', () => {
    const scope = { project: 'p', period: { start: '2026-11-20', end: '2026-11-20' }, service: 'shop' };
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
] as const)('from %s, before %s: %s', (value, before, text, direction) => {
  expect(changeOf(value, before)).toEqual({ text, direction });
});

it.each([
  [1234.4, '1,234/min'],
  [1, '1/min'],
  [0.99, '59/h'],
  [0.015, '22/day'],
  [0.0001, '0.14/day'],
])('%s a minute: %s', (perMinute, text) => {
  expect(formatFrequency(perMinute)).toBe(text);
});
