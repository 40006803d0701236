import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ViewParams } from '../url-state/search-params.ts';
import { parseSearch } from '../url-state/search-text.ts';
import { fillFields, readFields } from './absolute-range.ts';
import { buildLastDays, toPeriodSpan } from './calendar-days.ts';
import { formatTimeRange } from './range-label.ts';
import { keepForPage, WITHOUT_RANGE, writeTimeRange } from './range-params.ts';
import {
  findListLimits,
  LAST_RANGES,
  readTimeRange,
  type TimeRange,
  toDays,
  toRangeSpan,
} from './time-range.ts';

const now = new Date(2026, 10, 21, 14, 2);
const HOUR_MS = 3_600_000;

const days = (start: string, end: string) => ({ kind: 'days', period: { start, end } }) as const;
const instants = (from: string, to?: string) => ({ kind: 'instants', from, to }) as const;
const last = (value: (typeof LAST_RANGES)[number]) => ({ kind: 'last', last: value }) as const;
const readParams = (search: string) => ViewParams.parse(parseSearch(search));
const read = (search: string) => readTimeRange(readParams(search), now);

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the time range of a URL', () => {
  const [from, to] = ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00.5Z'];

  it.each<[string, TimeRange | undefined]>([
    ['', undefined],
    ['?last=15m', last('15m')],
    ['?last=24h', last('24h')],
    ['?last=90d', last('90d')],
    ['?last=1d', last('1d')],
    ['?last=5h', undefined],
    ['?last=', undefined],
    [`?from=${from}`, instants(from)],
    [`?from=${from}&to=${to}`, instants(from, to)],
    [`?from=${to}&to=${from}`, instants(to)],
    [`?to=${to}`, undefined],
    ['?from=yesterday', undefined],
    ['?from=0001-01-01T00:00:00Z', undefined],
    ['?start=2026-01-01&end=2026-02-01', days('2026-01-01', '2026-02-01')],
    ['?start=2026-11-01', days('2026-11-01', '2026-11-21')],
    ['?start=2027-01-01', days('2027-01-01', '2027-01-01')],
    ['?end=2026-03-03', days('2026-02-25', '2026-03-03')],
    ['?start=2026-02-30', undefined],
    ['?start=0001-01-01&end=9999-12-31', undefined],
    // `days` occurs only in old links to the list of errors.
    ['?days=1', last('24h')],
    ['?days=30', last('30d')],
    ['?days=7', undefined],
    ['?days=30&last=1h', last('1h')],
    [`?last=1h&start=2026-01-01&end=2026-02-01&from=${from}&to=${to}`, instants(from, to)],
    ['?last=1h&start=2026-01-01&end=2026-02-01', days('2026-01-01', '2026-02-01')],
  ])('of "%s" is read', (search, range) => {
    expect(read(search)).toEqual(range);
  });

  it('replaces all other range parameters when it is written, and is the same range when it is read', () => {
    const ranges = [
      ...LAST_RANGES.map(last),
      days('2026-01-01', '2026-02-01'),
      instants(from),
      instants(from, to),
    ];
    const before = readParams(`?last=1h&start=2026-01-01&end=2026-02-01&from=${from}&to=${to}&days=30`);
    for (const range of ranges) {
      expect(readTimeRange({ ...before, ...writeTimeRange(range) }, now)).toEqual(range);
    }
    expect(readTimeRange({ ...before, ...writeTimeRange(undefined) }, now)).toBeUndefined();
    expect(WITHOUT_RANGE).toEqual(
      Object.fromEntries(Object.keys(WITHOUT_RANGE).map((name) => [name, undefined])),
    );
  });

  it('is kept in the URL only when the user opens another page that has a time range', () => {
    const view = readParams(`?project=p1&last=6h&status=error&from=${from}&to=${to}`);
    for (const page of ['/dashboard', '/raw-traces', '/analytics', '/errors']) {
      expect(keepForPage(page, view)).toEqual({ project: 'p1', last: '6h', from, to });
    }
    expect(keepForPage('/billing', view)).toEqual({ project: 'p1' });
    expect(keepForPage('/dashboard', {})).toEqual({});
    expect(keepForPage('/dashboard', readParams('?days=30'))).toEqual({ last: '30d' });
  });
});

describe('a range that ends now', () => {
  it.each([
    ['15m', 60_000],
    ['1h', 60_000],
    ['6h', 5 * 60_000],
    ['24h', HOUR_MS / 4],
  ] as const)('of the last %s ends with the current interval', (value, partMs) => {
    const { from, to } = toRangeSpan(last(value), now);
    expect(to - from).toBe(value === '15m' ? HOUR_MS / 4 : Number.parseInt(value, 10) * HOUR_MS);
    expect(to).toBeGreaterThan(now.getTime());
    expect(to - partMs).toBeLessThanOrEqual(now.getTime());
    expect((to - new Date(2026, 10, 21).getTime()) % partMs).toBe(0);
    expect(toDays(last(value), now).end).toBe('2026-11-21');
  });

  it.each([
    ['1d', '2026-11-21'],
    ['7d', '2026-11-15'],
    ['14d', '2026-11-08'],
    ['30d', '2026-10-23'],
    ['90d', '2026-08-24'],
  ] as const)('of %s is whole days up to today', (value, start) => {
    expect(toDays(last(value), now)).toEqual({ start, end: '2026-11-21' });
  });

  it('limits a list by a start but no end, so that the list also shows new requests', () => {
    for (const value of LAST_RANGES) {
      const { startDate, endDate } = findListLimits(last(value), now);
      expect(Date.parse(startDate ?? '')).toBe(toRangeSpan(last(value), now).from);
      expect(endDate).toBeUndefined();
    }
  });
});

describe('the start and end of a list', () => {
  it('are the instants in the URL, and are undefined without a range', () => {
    const [from, to] = ['2026-11-20T10:00:00.123456Z', '2026-11-20T11:00:00.999999Z'];
    expect(findListLimits(instants(from, to), now)).toEqual({ startDate: from, endDate: to });
    expect(findListLimits(instants(from), now)).toEqual({ startDate: from, endDate: undefined });
    expect(findListLimits(undefined, now)).toEqual({ startDate: undefined, endDate: undefined });
  });

  it('include the whole last day, but the end is undefined if the last day is today', () => {
    const over = findListLimits(days('2026-11-18', '2026-11-20'), now);
    expect(Date.parse(over.startDate ?? '')).toBe(new Date(2026, 10, 18).getTime());
    expect(over.endDate).toBe(
      new Date(new Date(2026, 10, 21).getTime() - 1).toISOString().replace('Z', '999Z'),
    );
    expect(findListLimits(days('2026-11-18', '2026-11-21'), now).endDate).toBeUndefined();
  });

  it('have no end if the end day is before the start day', () => {
    const { startDate, endDate } = findListLimits(days('2026-11-18', '2026-11-10'), now);
    expect(Date.parse(startDate ?? '')).toBe(new Date(2026, 10, 18).getTime());
    expect(endDate).toBeUndefined();
  });
});

describe('days', () => {
  it('reach from midnight to midnight across months, years and daylight saving changes', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const { from, to } = toPeriodSpan({ start: '2026-12-31', end: '2026-12-31' });
    expect(new Date(from)).toEqual(new Date(2026, 11, 31));
    expect(new Date(to)).toEqual(new Date(2027, 0, 1));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 400 }), (ago, count) => {
        const span = toPeriodSpan(buildLastDays(count, new Date(2026, 10, 21 - ago, 23, 59)));
        // The loop goes from noon to noon, since a day can have 23 or 25 hours.
        let first = new Date(2026, 10, 21 - ago, 12);
        for (let days = 1; days < count; days += 1) {
          first = new Date(first.getTime() - 24 * HOUR_MS);
          first.setHours(12);
        }
        expect(new Date(span.from)).toEqual(new Date(first.setHours(0)));
        expect(new Date(span.to)).toEqual(new Date(2026, 10, 22 - ago));
      }),
    );
  });

  it.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-11-20', 24],
  ])('of a time zone with daylight saving time differ in length: %s has %d hours', (day, hours) => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const { from, to } = toPeriodSpan({ start: day, end: day });
    expect((to - from) / HOUR_MS).toBe(hours);
    const { startDate, endDate } = findListLimits(days(day, day), new Date('2026-12-01T12:00:00Z'));
    expect(Date.parse(endDate ?? '') - Date.parse(startDate ?? '')).toBe(hours * HOUR_MS - 1);
  });

  it('of a preset range begin at midnight, also after the clocks changed', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const { startDate } = findListLimits(last('7d'), new Date('2026-10-27T12:00:00Z'));
    expect(startDate).toBe('2026-10-20T22:00:00.000Z');
  });
});

describe('the name of a range', () => {
  const releases = [{ release: '1.5.0', firstSeen: new Date(2026, 10, 20, 9, 5).toISOString() }];
  const at = (day: number, hours: number, minutes: number) =>
    new Date(2026, 10, day, hours, minutes).toISOString();

  it.each<[TimeRange | undefined, string]>([
    [undefined, 'All time'],
    [last('15m'), 'Last 15 minutes'],
    [last('1h'), 'Last hour'],
    [last('1d'), 'Today'],
    [last('90d'), 'Last 90 days'],
    [days('2026-11-21', '2026-11-21'), 'Today'],
    [days('2026-11-20', '2026-11-20'), '2026-11-20'],
    [days('2026-11-20', '2026-11-21'), '2026-11-20 – 2026-11-21'],
    [instants(at(21, 9, 5)), 'Since 09:05:00'],
    [instants(at(20, 9, 6)), 'Since 11-20 09:06:00'],
    [instants(at(20, 9, 5)), 'Since 1.5.0'],
    [instants(at(21, 9, 5), at(21, 10, 5)), '09:05:00 – 10:05:00'],
    [instants(at(20, 9, 5), at(21, 10, 5)), '11-20 09:05:00 – 10:05:00'],
  ])('of %j is "%s"', (range, name) => {
    expect(formatTimeRange(range, releases, now.getTime())).toBe(name);
  });
});

describe('the form for a start and an end', () => {
  const form = (startDay = '', startTime = '', endDay = '', endTime = '') => ({
    startDay,
    startTime,
    endDay,
    endTime,
  });
  const at = (day: number, hours: number, minutes: number) =>
    new Date(2026, 10, day, hours, minutes).toISOString();

  it.each<[ReturnType<typeof form>, TimeRange]>([
    [form('2026-11-18', '', '2026-11-20'), days('2026-11-18', '2026-11-20')],
    [form('2026-11-18'), days('2026-11-18', '2026-11-21')],
    [form('2026-11-18', '09:30'), instants(at(18, 9, 30))],
    [form('2026-11-18', '09:30', '2026-11-18', '10:00'), instants(at(18, 9, 30), at(18, 10, 0))],
    [form('2026-11-18', '', '2026-11-18', '10:00'), instants(at(18, 0, 0), at(18, 10, 0))],
    [
      form('2026-11-18', '09:30', '2026-11-18'),
      instants(at(18, 9, 30), new Date(new Date(2026, 10, 19).getTime() - 1).toISOString()),
    ],
  ])('with %j gives a time range', (fields, range) => {
    expect(readFields(fields, now)).toEqual({ range });
  });

  it.each([
    [form(), /start date/],
    [form('2026-11-18', '', '', '10:00'), /end date/],
    [form('2026-11-18', '', '2026-11-17'), /must not be before/],
    [form('2026-11-18', '10:00', '2026-11-18', '09:59'), /must not be before/],
  ])('with %j gives an error', (fields, fault) => {
    expect(readFields(fields, now).fault).toMatch(fault);
  });

  it('shows the chosen range, and applies it unchanged', () => {
    const ranges = [
      days('2026-11-18', '2026-11-20'),
      instants(at(18, 9, 30)),
      instants(at(18, 9, 30), at(18, 10, 0)),
    ];
    for (const range of ranges) expect(readFields(fillFields(range, now), now)).toEqual({ range });
    expect(fillFields(undefined, now)).toEqual(form());
    expect(fillFields(last('1h'), now)).toEqual(form('2026-11-21', '13:03', '2026-11-21', '14:02'));
  });
});
