import { repetitions } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import type { Hour, ReleaseSeries } from '../changes/hour-series.ts';
import { BUCKET_RATIO } from '../distributions.ts';
import { randomFrom } from '../fixtures/planted.ts';
import { findReleaseChanges } from './find-release-changes.ts';
import { findReleasePairs } from './release-pairs.ts';

/** Fourteen days. The releases v1, v2, … begin in the last seven days, except for v1, which runs from the beginning. */
const HOURS = 14 * 24;
const HOUR_MICROS = 3_600_000_000n;

interface Habits {
  readonly seed: number;
  /** The hours in which v2, v3, … begin. After the last of them, `last` runs. */
  readonly starts: readonly number[];
  /** The release that runs since the last start, such as v1 after v2 was rolled back. */
  readonly last?: string;
  readonly busiest?: number;
  readonly errors?: (hour: number, release: string) => number;
  /** The share of requests that take 25 times as long. */
  readonly slow?: (hour: number, release: string) => number;
}

/** Builds the requests to an endpoint, with a daily rhythm, a quieter weekend, and error rates that differ by a third from hour to hour. */
function buildReleases({ seed, starts, last, busiest = 60, errors, slow }: Habits): ReleaseSeries[] {
  const random = randomFrom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const byRelease = new Map<string, Map<number, Hour>>();
  for (let at = 0; at < HOURS; at += 1) {
    const begun = starts.filter((start) => start <= at).length;
    const release = last !== undefined && begun === starts.length ? last : `v${begun + 1}`;
    const rhythm = 0.15 + 0.85 * Math.sin((Math.PI * (at % 24)) / 24) ** 2;
    const expected = busiest * rhythm * (Math.floor(at / 24) % 7 > 4 ? 0.6 : 1);
    const count = Math.max(0, Math.round(expected + Math.sqrt(expected) * normal()));
    if (count === 0) continue;
    const rate = (errors?.(at, release) ?? 0.01) * Math.exp(0.3 * normal());
    const histogram = new Map<number, number>();
    let failed = 0;
    for (let request = 0; request < count; request += 1) {
      const isSlow = random() < (slow?.(at, release) ?? 0);
      // At night caches are cold, so requests take longer.
      const ms = 50 * (1.4 - 0.4 * rhythm) * Math.exp(0.35 * normal()) * (isSlow ? 25 : 1);
      const bucket = Math.floor(Math.log(ms * 1000 + 1) / Math.log(BUCKET_RATIO));
      histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
      if (random() < rate) failed += 1;
    }
    const hours = byRelease.get(release) ?? new Map<number, Hour>();
    byRelease.set(release, hours.set(at, { errors: failed, histogram }));
  }
  const place = { service: 'shop', environment: 'production', method: 'POST', path: '/checkout' };
  return [...byRelease].map(([release, hours]) => ({
    ...place,
    ...{ release, hours, part: null, signals: ['p50', 'p95', 'p99', 'errorRate', 'requests'] },
  }));
}

function find(habits: Habits) {
  const series = buildReleases(habits);
  const times = series.flatMap(({ service, environment, release, hours }) =>
    [...hours.keys()].map((at) => ({
      ...{ service, environment, release, current: at >= HOURS / 2 },
      first: BigInt(at) * HOUR_MICROS,
    })),
  );
  return findReleaseChanges(series, findReleasePairs(times), () => false).map(({ signal, releases }) => [
    signal,
    releases.before,
    releases.after,
  ]);
}

const MONDAY = HOURS / 2;

test('healthy releases are not reported, however long they run', () => {
  const weeks = repetitions({ usually: 150, thoroughly: 1000 });
  const alarms = Array.from({ length: weeks }, (_, seed) => {
    const random = randomFrom(9000 + seed);
    const starts = [MONDAY + Math.floor(24 * random())];
    while ((starts.at(-1) ?? HOURS) < HOURS)
      starts.push((starts.at(-1) ?? 0) + 1 + Math.floor(60 * random() ** 2));
    return find({
      ...{ seed: seed + 1, starts, busiest: 10 + Math.floor(90 * random()) },
      errors: () => 0.03,
      slow: (hour) => (hour % 24 < 5 ? 0.04 : 0.01),
    });
  });
  expect(alarms.flat()).toEqual([]);
});

const NOON = MONDAY + 36;
test.each([
  [
    'fails more often for an hour at noon before the next release',
    { starts: [NOON, NOON + 1], errors: (_: number, release: string) => (release === 'v2' ? 0.25 : 0.01) },
    ['errorRate', 'v1', 'v2'],
  ],
  [
    'fails more often and is rolled back after three hours',
    {
      ...{ starts: [NOON, NOON + 3], last: 'v1' },
      errors: (_: number, release: string) => (release === 'v2' ? 0.12 : 0.01),
    },
    ['errorRate', 'v1', 'v2'],
  ],
  [
    'has a longer tail for half a day',
    {
      ...{ starts: [NOON, NOON + 12] },
      slow: (_: number, release: string) => (release === 'v2' ? 0.05 : 0.002),
    },
    ['p99', 'v1', 'v2'],
  ],
  [
    'fails more often, and still runs',
    { starts: [NOON, NOON + 60], errors: (hour: number) => (hour >= NOON + 60 ? 0.06 : 0.01) },
    ['errorRate', 'v2', 'v3'],
  ],
] as const)('a release is reported that %s', (_what, habits, expected) => {
  const found = Array.from({ length: 20 }, (_each, seed) => find({ seed: seed + 1, ...habits }));
  const right = found.filter((all) => all.some((one) => one.join() === expected.join()));
  expect(right.length).toBeGreaterThanOrEqual(18);
  for (const all of found) expect(all.length).toBeLessThanOrEqual(1);
});

test.each([
  ['a day after its start', [NOON], (hour: number) => (hour >= NOON + 24 ? 0.1 : 0.01)],
  ['six hours before it', [NOON], (hour: number) => (hour >= NOON - 6 ? 0.1 : 0.01)],
  ['and ended in its first hour', [NOON, NOON + 8], (hour: number) => (hour === NOON ? 0.5 : 0.01)],
])('a release is not reported for a problem that began %s', (_when, starts, errors) => {
  const found = Array.from({ length: 20 }, (_each, seed) => find({ seed: seed + 1, starts, errors }));
  expect(found.flat()).toEqual([]);
});

test('the requests of a release at noon are compared only with earlier requests at noon', () => {
  const found = Array.from({ length: 20 }, (_each, seed) =>
    find({
      ...{ seed: seed + 1, starts: [MONDAY + 12, MONDAY + 16] },
      // Every day at noon, an import sends requests that fail.
      errors: (hour) => (hour % 24 >= 12 && hour % 24 < 16 ? 0.2 : 0.01),
    }),
  );
  expect(found.flat()).toEqual([]);
});
