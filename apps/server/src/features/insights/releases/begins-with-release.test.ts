import { expect, test } from 'vitest';
import { buildEndpointKey } from '../endpoint-key.ts';
import { buildReleases, type Habits, HOURS } from '../fixtures/releases.ts';
import { findSlower } from '../kinds/slower.ts';
import { beginsWithRelease } from './begins-with-release.ts';
import { findReleasePairs } from './release-pairs.ts';

const HOUR_MICROS = 3_600_000_000n;
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed + 1);
/** The release v2 begins at noon on Wednesday of the second week. */
const RELEASE = 9 * 24 + 12;

interface Given extends Omit<Habits, 'starts'> {
  readonly starts?: Habits['starts'];
  /** The hour in which the data ends. */
  readonly until?: number;
}

/** For each finding about a slower endpoint, returns the release that the finding blames, or `period` if the finding blames no release. */
function findBlamed({ until = HOURS, ...habits }: Given): string[] {
  const series = buildReleases({ starts: [RELEASE], ...habits }).map((one) => ({
    ...one,
    hours: new Map([...one.hours].filter(([at]) => at < until)),
  }));
  const times = series.flatMap(({ release, hours, service, environment, method, path }) =>
    [...hours].map(([at, { histogram }]) => ({
      ...{ service, environment, method, path, release, histogram },
      ...{ current: at >= HOURS / 2, hourOfDay: at % 24, first: BigInt(at) * HOUR_MICROS },
    })),
  );
  expect(new Set(times.map(buildEndpointKey)).size).toBe(1);
  return findSlower(times, findReleasePairs(times), (one) => beginsWithRelease(one, series)).map(
    ({ releases }) => releases?.after ?? 'period',
  );
}

test('a release is blamed for an endpoint that became slower when the release began', () => {
  const blamed = SEEDS.flatMap((seed) =>
    findBlamed({ seed, factor: (_at, release) => (release === 'v2' ? 1.7 : 1) }),
  );
  expect(blamed.filter((release) => release === 'v2').length).toBeGreaterThanOrEqual(19);
});

test.each([
  ['a day and a half after the release', RELEASE + 36],
  ['a day and a half before the release', RELEASE - 36],
])('a release is not blamed for an endpoint that became slower %s', (_when, since) => {
  const blamed = SEEDS.flatMap((seed) => findBlamed({ seed, factor: (at) => (at >= since ? 1.7 : 1) }));
  expect(blamed).not.toContain('v2');
});

test('a release is blamed even if the endpoint has at most a few requests per hour', () => {
  const factor: Habits['factor'] = (_at, release) => (release === 'v2' ? 2.5 : 1);
  expect(findBlamed({ seed: 1, busiest: 4, factor })).toEqual(['v2']);
});

/** The load of an hour in relation to the mean load: low at night, and lower at the weekend than from Monday to Friday. */
const findLoad = (at: number) =>
  2 * Math.sin((Math.PI * (at % 24)) / 24) ** 2 * (Math.floor(at / 24) % 7 > 4 ? 0.6 : 1.15);

test('a release that began on a Monday is not blamed for being slower than a release that ran at the weekend', () => {
  const [thursday, monday] = [3 * 24 + 12, 7 * 24 + 10];
  const blamed = SEEDS.flatMap((seed) =>
    findBlamed({
      ...{ seed, starts: [thursday, monday], until: monday + 5 },
      factor: (at) => 0.5 + 0.5 * findLoad(at),
    }),
  );
  expect(blamed).not.toContain('v3');
});
