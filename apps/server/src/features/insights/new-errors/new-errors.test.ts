import { expect, test } from 'vitest';
import type { HourSeries } from '../changes/hour-series.ts';
import { isFromDependency } from './new-errors.ts';

const SINCE = '2026-11-21T12:00:00.000000Z';
const START = Date.parse(SINCE) / 3_600_000;

function buildSeries(part: HourSeries['part']): HourSeries {
  const place = { service: 'shop', environment: 'production', method: 'POST', path: '/orders' };
  return { ...place, part, signals: ['errorRate'], hours: new Map() };
}
const ofDependency = {
  series: buildSeries({ name: 'dependency', value: 'db' }),
  signal: 'errorRate',
  start: START,
} as const;

test.each([
  ['Ken', true],
  ['Mo', false],
])(
  'a finding about Ada and Ken is an effect of a failing dependency of the endpoint with the error %s: %s',
  (id, expected) => {
    const error = { id, filter: {}, isSplitOff: false, knownUntilMs: null, knownSinceMs: null };
    const series = buildSeries({ name: 'error', value: 'No limit', error });
    const finding = { finding: { since: SINCE }, errorIds: new Set(['Ada', 'Ken']) };
    expect(isFromDependency(finding, ofDependency, [series])).toBe(expected);
  },
);
