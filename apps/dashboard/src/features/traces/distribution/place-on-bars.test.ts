import { expect, test } from 'vitest';
import { aTrace } from '../parts/trace.fixture.ts';
import { findBar, findPlace, searchBar } from './place-on-bars.ts';

const BARS = [
  { from: 0, to: 4, requests: 1 },
  { from: 4, to: 16, requests: 7 },
  { from: 16, to: 64, requests: 3 },
  { from: 64, to: 256, requests: 0 },
];

test('a duration is in the bar whose range contains the duration; the end of a range is exclusive', () => {
  expect([0, 3.999, 4, 255.999, 256].map((ms) => findBar(BARS, ms))).toEqual([0, 0, 1, 3, -1]);
});

test('the position of a duration on the axis grows with the logarithm of the duration, and is never outside the axis', () => {
  expect([0, 2, 4, 8, 16, 128, 300].map((ms) => findPlace(BARS, ms))).toEqual([
    0, 0.125, 0.25, 0.375, 0.5, 0.875, 1,
  ]);
});

test('a bar links to the successful requests of the endpoint whose durations are in the bar’s range', () => {
  const trace = { ...aTrace({}), service: 'orders', environment: 'production' };
  const bar = { from: 4.757, to: 5.657, requests: 7 };
  expect(searchBar(trace, bar)).toEqual({
    project: '0',
    service: 'orders',
    environment: 'production',
    method: 'POST',
    endpoint: '/',
    status: 'success',
    from: '2026-11-16T00:00:00.000Z',
    to: '2026-11-24T00:00:00.000Z',
    min: '4.757',
    max: '5.656',
  });
  expect(searchBar({ ...trace, service: '', environment: '' }, bar)).toMatchObject({ services: 'unnamed' });
});
