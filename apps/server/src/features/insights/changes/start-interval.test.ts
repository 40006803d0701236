import { expect, test } from 'vitest';
import { findBucketPlace } from '../distributions.ts';
import { randomFrom } from '../fixtures/planted.ts';
import { findStartInterval, weighShare } from '../start-interval.ts';
import { findChanges, type Span } from './find-changes.ts';
import type { Hour, HourSeries, Signal } from './hour-series.ts';

/** Fourteen days, of which the last seven are examined. */
const SPAN: Span = { since: 0, from: 168, until: 335, isWhole: true };
const PLANTED = ['errorRate', 'p50', 'p95', 'drop', 'spike'] as const;
/** The hours in which the change can begin. Traffic is only compared over the last day, so older changes of traffic are not found. */
const STARTS = {
  errorRate: [200, 320],
  p50: [200, 320],
  p95: [200, 320],
  drop: [290, 320],
  spike: [313, 325],
} as const;
type Planted = (typeof PLANTED)[number];

/** Builds two weeks of requests with a daily rhythm and a change that begins at `start`, which can be within an hour. */
function buildSeries(seed: number, planted: Planted, start: number): HourSeries {
  const random = randomFrom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const busiest = 20 + 100 * random();
  const [failing, slow] = [0.1 + 0.4 * random(), 2 + 3 * random()];
  const days = Array.from({ length: 14 }, () => 0.95 + 0.1 * random());
  const hours = new Map<number, Hour>();
  for (let at = 0; at <= SPAN.until; at += 1) {
    const rhythm = 0.25 + 0.75 * Math.sin((Math.PI * (at % 24)) / 24) ** 2;
    const most = busiest * rhythm * (days[Math.floor(at / 24)] ?? 1) * (planted === 'spike' ? 5 : 1);
    const histogram = new Map<number, number>();
    let errors = 0;
    const wait = () => Math.log(1 / random()) / most;
    for (let passed = wait(); passed < 1; passed += wait()) {
      const isChanged = at + passed >= start;
      if (planted === 'drop' && isChanged && random() < 0.85) continue;
      if (planted === 'spike' && !isChanged && random() < 0.8) continue;
      const isSlow = isChanged && (planted === 'p50' || (planted === 'p95' && random() < 0.3));
      const ms = 50 * (1.2 - 0.2 * rhythm) * Math.exp(0.35 * normal()) * (isSlow ? slow : 1);
      const bucket = Math.floor(findBucketPlace(ms * 1000));
      histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
      if (random() < (planted === 'errorRate' && isChanged ? failing : 0.01)) errors += 1;
    }
    if (histogram.size > 0) hours.set(at, { errors, histogram });
  }
  const signals: Signal[] = ['p50', 'p95', 'p99', 'errorRate', 'requests'];
  const place = { service: 'shop', environment: 'production', method: 'GET', path: '/orders' };
  return { ...place, part: null, signals, hours };
}

test('the start interval contains the true start of at least 90 % of the changes found in 500 simulated series, and its median length is at most 3 hours', () => {
  const random = randomFrom(2026);
  const tally = new Map<Planted, { found: number; right: number; lengths: number[] }>(
    PLANTED.map((planted) => [planted, { found: 0, right: 0, lengths: [] }]),
  );
  for (let seed = 1; seed <= 500; seed += 1) {
    const planted = PLANTED[seed % PLANTED.length] ?? 'p50';
    const [first, last] = STARTS[planted];
    const start = first + (last - first) * random();
    const counts = tally.get(planted);
    const changes = [...findChanges([buildSeries(seed, planted, start)], SPAN)].flat();
    const change = changes.find(({ signal, after, before }) =>
      planted === 'drop' || planted === 'spike'
        ? signal === 'requests' && after > before === (planted === 'spike')
        : (signal === 'errorRate') === (planted === 'errorRate') && signal !== 'requests',
    );
    if (counts === undefined || change === undefined) continue;
    const { from = Number.NaN, until = Number.NaN } = change.interval ?? {};
    counts.found += 1;
    counts.right += from <= start && start <= until ? 1 : 0;
    counts.lengths.push(until - from);
  }
  const rows = [...tally].map(([planted, { found, right, lengths }]) => {
    const middle = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? Number.NaN;
    return { planted, found, right, middle };
  });
  process.stdout.write(`${JSON.stringify(rows)}\n`);
  for (const { found, right, middle } of rows) {
    expect(found).toBeGreaterThanOrEqual(90);
    expect(right / found).toBeGreaterThanOrEqual(0.9);
    expect(middle).toBeLessThanOrEqual(3);
  }
}, 120_000);

test('the start interval of a change within a busy hour is shorter than half an hour', () => {
  const counted = [
    { at: 10, requests: 600, changed: 6 },
    { at: 11, requests: 600, changed: 156 },
    { at: 12, requests: 600, changed: 306 },
  ];
  const shares = { before: 0.01, after: 0.51 };
  const hours = counted.map((hour) => weighShare(hour, shares));
  const interval = findStartInterval(hours, { from: 10, until: 13 });
  expect(interval?.from).toBeGreaterThan(11.25);
  expect(interval?.from).toBeLessThan(11.5);
  expect(interval?.until).toBeGreaterThan(11.5);
  expect(interval?.until).toBeLessThan(11.75);
});

test('the start interval of a change in a gap without requests covers the whole gap', () => {
  const shares = { before: 0.01, after: 0.9 };
  const hours = [
    { at: 10, requests: 400, changed: 4 },
    { at: 15, requests: 400, changed: 360 },
  ].map((hour) => weighShare(hour, shares));
  const interval = findStartInterval(hours, { from: 10, until: 16 });
  expect(interval?.from).toBeCloseTo(11, 0);
  expect(interval?.until).toBeCloseTo(15, 0);
});

test('there is no start interval if there are no hours with requests', () => {
  expect(findStartInterval([], { from: 10, until: 16 })).toBeUndefined();
});
