import { repetitions } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { randomFrom } from '../fixtures/planted.ts';
import { buildReleases, type Habits, HOURS } from '../fixtures/releases.ts';
import { findReleaseChanges } from './find-release-changes.ts';
import { findReleasePairs } from './release-pairs.ts';

const HOUR_MICROS = 3_600_000_000n;

async function find(habits: Habits) {
  const series = buildReleases(habits);
  const times = series.flatMap(({ service, environment, release, hours }) =>
    [...hours.keys()].map((at) => ({
      ...{ service, environment, release, current: at >= HOURS / 2 },
      first: BigInt(at) * HOUR_MICROS,
    })),
  );
  const changes = await findReleaseChanges(series, findReleasePairs(times), () => false);
  return changes.map(({ signal, releases }) => [signal, releases.before, releases.after]);
}

/** Finds the changes in twenty simulated histories. */
const findInSeeds = (buildHabits: (seed: number) => Habits) =>
  Promise.all(Array.from({ length: 20 }, (_, index) => find(buildHabits(index + 1))));

const MONDAY = HOURS / 2;

test('healthy releases are not reported, however long they run', async () => {
  const weeks = repetitions({ usually: 150, thoroughly: 1000 });
  const searches = Array.from({ length: weeks }, (_, seed) => {
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
  expect((await Promise.all(searches)).flat()).toEqual([]);
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
] as const)('a release is reported if it %s', async (_what, habits, expected) => {
  const found = await findInSeeds((seed) => ({ seed, ...habits }));
  const right = found.filter((all) => all.some((one) => one.join() === expected.join()));
  expect(right.length).toBeGreaterThanOrEqual(18);
  for (const all of found) expect(all.length).toBeLessThanOrEqual(1);
});

test.each([
  ['a day after the release', [NOON], (hour: number) => (hour >= NOON + 24 ? 0.1 : 0.01)],
  ['six hours before the release', [NOON], (hour: number) => (hour >= NOON - 6 ? 0.1 : 0.01)],
  [
    'and ended in the first hour of the release',
    [NOON, NOON + 8],
    (hour: number) => (hour === NOON ? 0.5 : 0.01),
  ],
])('a release is not reported for a problem that began %s', async (_when, starts, errors) => {
  const found = await findInSeeds((seed) => ({ seed, starts, errors }));
  expect(found.flat()).toEqual([]);
});

test('the requests of a release at noon are compared only with earlier requests at noon', async () => {
  const found = await findInSeeds((seed) => ({
    ...{ seed, starts: [MONDAY + 12, MONDAY + 16] },
    // Every day at noon, an import sends requests that fail.
    errors: (hour) => (hour % 24 >= 12 && hour % 24 < 16 ? 0.2 : 0.01),
  }));
  expect(found.flat()).toEqual([]);
});
