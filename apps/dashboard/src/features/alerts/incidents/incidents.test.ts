import type { AlertIncident } from '@throughline/contract';
import { describe, expect, test } from 'vitest';
import { buildErrorSearch, buildInsightSearch, buildRequestsSearch } from './incident-search.ts';
import { describeMessages, describePeak, describeTime, formatMinutes } from './incident-text.ts';

const PROJECT = '019d2c11-0000-7000-8000-000000000000';
const RULE: AlertIncident['rule'] = {
  id: '019d2c3b-0000-7000-8000-000000000000',
  kind: 'error_rate',
  service: null,
  environment: null,
  endpoint: null,
  filter: null,
  threshold: 5,
  minutes: 10,
  severity: null,
};
const OPENED = new Date(2026, 2, 2, 12, 0);
const incident = (
  rule: Partial<AlertIncident['rule']>,
  more: Partial<AlertIncident> = {},
): AlertIncident => ({
  id: '019d2c4e-0000-7000-8000-000000000000',
  rule: { ...RULE, ...rule },
  openedAt: OPENED.toISOString(),
  closedAt: new Date(2026, 2, 2, 12, 34).toISOString(),
  peak: 31.26,
  error: null,
  insight: null,
  waitsForQuietHours: false,
  deliveries: [],
  ...more,
});
const after = (minutes: number) => new Date(OPENED.getTime() + minutes * 60_000).toISOString();

describe('the link to an incident’s requests', () => {
  test('leads to the failed requests in the rule’s scope if the rule watches the error rate', () => {
    const scope = { service: 'shop', environment: 'production', endpoint: 'POST /orders/:id' };
    expect(buildRequestsSearch(PROJECT, incident(scope))).toMatchObject({
      project: PROJECT,
      from: after(-5),
      to: after(34),
      service: 'shop',
      environment: 'production',
      method: 'POST',
      endpoint: '/orders/:id',
      status: 'error',
    });
  });

  test('leads to the requests slower than the threshold if the rule watches the P95', () => {
    const search = buildRequestsSearch(
      PROJECT,
      incident({ kind: 'p95', threshold: 400 }, { closedAt: null }),
    );
    expect(search).toMatchObject({ from: after(-5), to: undefined, min: '400' });
    expect(search).not.toHaveProperty('status');
  });

  test('leads to the requests that match the rule’s filter', () => {
    const filter = 'route:/checkout duration:>1s -instance:w3';
    const search = buildRequestsSearch(PROJECT, incident({ kind: 'p95', threshold: 400, filter }));
    expect(search).toMatchObject({
      ...{ from: after(-5), to: after(34), route: '/checkout', exclude: '-instance:w3' },
      // The minimum duration is from the filter, because the filter's duration (1 s) is longer than the threshold (400 ms).
      min: '1000.001',
    });
  });

  test('leads only to the requests with the error if the rule watches new errors', () => {
    const error = {
      ...{ id: 'a1b2c3d4e5f60718', service: 'shop', message: 'no rate' },
      ...{ requestIds: ['b'.repeat(32), 'c'.repeat(32)], hasRequests: true },
    };
    const ofError = incident({ kind: 'new_error', threshold: null }, { error });
    const time = { from: after(0), to: after(34) };
    const search = buildRequestsSearch(PROJECT, ofError);
    expect(search).toMatchObject({
      ...time,
      status: 'error',
      errorIds: `${'b'.repeat(32)},${'c'.repeat(32)}`,
    });
    expect(buildErrorSearch(PROJECT, ofError, error.id)).toMatchObject({ ...time, error: error.id });
  });

  test('leads to the last hour of requests before the traffic stopped if the rule watches for missing traffic', () => {
    const search = buildRequestsSearch(PROJECT, incident({ kind: 'no_traffic', threshold: null }));
    expect(search).toMatchObject({ from: after(-70), to: after(-9) });
  });
});

test('the link to an incident’s insight leads to the insights at the time when the insight was found', () => {
  const insight = {
    ...{ id: 'a1b2c3d4e5f60718', service: 'shop', severity: 'high' as const, title: 'Slower' },
    foundAt: '2026-03-04T09:30:00.000Z',
  };
  const ofInsight = incident(
    { kind: 'insight', threshold: null, service: 'shop', environment: 'production' },
    { insight, closedAt: null },
  );
  const search = buildInsightSearch(PROJECT, ofInsight, insight);
  expect(search).toMatchObject({
    ...{ project: PROJECT, tab: 'insights', service: 'shop', environment: 'production' },
    ...{ from: '2026-02-26T00:00:00.000Z', to: '2026-03-04T09:30:00.000Z' },
  });
  expect(search.last).toBeUndefined();
});

describe('the text of an incident', () => {
  test('names the start, the end and the duration of the incident', () => {
    const sameDay = new Date(2026, 2, 2, 15, 5).getTime();
    expect(describeTime(incident({}), sameDay)).toBe('12:00 to 12:34, 34 min');
    expect(describeTime(incident({}, { closedAt: null }), sameDay)).toBe('Since 12:00, for 3 h 5 min');
    const later = new Date(2026, 2, 3, 9, 0).getTime();
    expect(describeTime(incident({}), later)).toBe('2026-03-02 12:00 to 2026-03-02 12:34, 34 min');
  });

  test.each([
    [0, '1 min'],
    [59, '59 min'],
    [60, '1 h'],
    [1439, '23 h 59 min'],
    [1440, '1 d'],
    [3000, '2 d 2 h'],
  ])('shows %i minutes as %s', (minutes, text) => {
    expect(formatMinutes(minutes * 60_000)).toBe(text);
  });

  test('shows the highest value and the threshold in the rule’s unit', () => {
    expect(describePeak(incident({}))).toBe('peak 31.3 %, threshold 5 %');
    expect(describePeak(incident({ kind: 'p95', threshold: 400 }, { peak: 1830 }))).toBe(
      'peak 1.83 s, threshold 400 ms',
    );
    expect(describePeak(incident({ kind: 'new_error', threshold: null }, { peak: null }))).toBe('');
  });

  test('counts the messages by delivery state, or gives the reason why there are none', () => {
    const one = (event: 'firing' | 'recovered', state: 'sent' | 'failed' | 'waiting') => ({ event, state });
    const deliveries = [
      one('firing', 'sent'),
      one('firing', 'failed'),
      one('firing', 'sent'),
      one('recovered', 'waiting'),
    ];
    expect(describeMessages({ waitsForQuietHours: false, deliveries })).toBe(
      'Messages at start: 1 failed, 2 sent; end: 1 waiting',
    );
    expect(describeMessages({ waitsForQuietHours: false, deliveries: [] })).toBe('No message');
    expect(describeMessages({ waitsForQuietHours: true, deliveries: [] })).toBe(
      'Message after the quiet hours',
    );
  });
});
