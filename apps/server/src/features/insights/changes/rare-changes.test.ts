import { repetitions } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { BUCKET_RATIO } from '../distributions.ts';
import { randomFrom } from '../fixtures/planted.ts';
import { findChanges, type Span } from './find-changes.ts';
import type { Hour, HourSeries, Part, Signal } from './hour-series.ts';

/** Fourteen days, of which the last seven are examined. The last hour is incomplete. */
const SPAN: Span = { since: 0, from: 168, until: 335, isWhole: false };

interface Habits {
  readonly seed: number;
  /** Requests in the busiest hour. */
  readonly busiest: number;
  readonly path: string;
  /** The share of requests with the error. Left out for the series of a whole endpoint. */
  readonly error?: (hour: number) => number;
  /** The share of requests that take 20 times as long. */
  readonly slow?: (hour: number) => number;
}

/**
 * Builds requests with a daily rhythm and a quieter weekend. The shares of failed and of slow requests vary at random by about a fifth from
 * day to day, and from hour to hour.
 */
function buildSeries({ seed, busiest, path, error, slow }: Habits): HourSeries {
  const random = randomFrom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const days = Array.from({ length: 14 }, () => Math.exp(0.2 * normal()));
  const hours = new Map<number, Hour>();
  for (let at = 0; at <= SPAN.until; at += 1) {
    const rhythm = 0.15 + 0.85 * Math.sin((Math.PI * (at % 24)) / 24) ** 2;
    const expected = busiest * rhythm * (Math.floor(at / 24) % 7 > 4 ? 0.6 : 1);
    const count = Math.max(0, Math.round(expected + Math.sqrt(expected) * normal()));
    const factor = (days[Math.floor(at / 24)] ?? 1) * Math.exp(0.2 * normal());
    const histogram = new Map<number, number>();
    let errors = 0;
    for (let request = 0; request < count; request += 1) {
      const isSlow = random() < (slow?.(at) ?? 0.01) * factor;
      const ms = 50 * (1.4 - 0.4 * rhythm) * Math.exp(0.35 * normal()) * (isSlow ? 20 : 1);
      const bucket = Math.floor(Math.log(ms * 1000 + 1) / Math.log(BUCKET_RATIO));
      histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
      if (random() < (error?.(at) ?? 0.01) * factor) errors += 1;
    }
    if (count > 0) hours.set(at, { errors, histogram });
  }
  const part: Part | null = error === undefined ? null : { name: 'error', value: path };
  const signals: Signal[] = part === null ? ['p50', 'p95', 'p99', 'errorRate'] : ['errorRate'];
  return { service: 'shop', environment: 'production', method: 'GET', path, part, signals, hours };
}

/** Builds eight endpoints and twelve errors that do not change, so that the correction for the number of comparisons is realistic. */
function buildHealthy(seed: number): HourSeries[] {
  const busiest = [3, 5, 8, 12, 20, 6, 4, 10];
  const rates = [0.002, 0.005, 0.01, 0.02];
  return [
    ...busiest.map((most, at) => buildSeries({ seed: seed * 100 + at, busiest: most, path: `/${at}` })),
    ...Array.from({ length: 12 }, (_, at) => {
      const error = () => rates[at % rates.length] ?? 0;
      return buildSeries({
        seed: seed * 100 + 50 + at,
        busiest: busiest[at % 6] ?? 1,
        path: `/${at}`,
        error,
      });
    }),
  ];
}

test('no change is found if the rates of rare errors and slow requests vary at random from day to day', () => {
  const projects = repetitions({ usually: 20, thoroughly: 70 });
  const alarms = Array.from({ length: projects }, (_, at) => [
    ...findChanges(buildHealthy(at + 1), SPAN),
  ]).flat(2);
  expect(alarms.map(({ signal, series: { path } }) => [signal, path])).toEqual([]);
});

test.each([
  [
    'an error of 0.2 % that becomes five times as frequent, with about a dozen failures',
    { busiest: 100, error: (hour: number) => (hour >= 300 ? 0.01 : 0.002) },
    10,
  ],
  [
    'a longer tail with about seven slow requests',
    { busiest: 12, slow: (hour: number) => (hour >= 312 ? 0.06 : 0.001) },
    17,
  ],
])('%s is found in at least a third of the series', (_what, habits, least) => {
  const healthy = buildHealthy(1);
  const found = Array.from({ length: 30 }, (_each, seed) => {
    const planted = buildSeries({ seed: 700_000 + seed, path: '/planted', ...habits });
    return [...findChanges([...healthy, planted], SPAN)].flat().filter(({ series }) => series === planted);
  });
  const count = found.filter((all) => all.length > 0).length;
  expect(count).toBeGreaterThanOrEqual(least);
});
