import { expect, it } from 'vitest';
import { BUCKET_RATIO } from './distributions.ts';
import { findOutliers } from './outliers.ts';
import { type EndpointTimes, sinceWhen } from './slower.ts';

const hours = (...shares: readonly (readonly [requests: number, longer: number])[]) =>
  shares.map(([requests, longer], at) => ({ first: BigInt(at), requests, longer }));

it.each([
  ['in the third hour', hours([10, 5], [10, 4], [10, 9], [10, 10]), 2n],
  ['from the first on', hours([10, 9], [10, 8], [10, 10]), 0n],
  ['in the last', hours([100, 50], [100, 49], [100, 48], [20, 20]), 3n],
  ['with one quiet hour between', hours([10, 3], [10, 9], [10, 4], [10, 9], [10, 9]), 1n],
  ['in the only one', hours([3, 3]), 0n],
  ['never, where there are no requests', [], undefined],
])('requests take longer %s', (_when, given, since) => {
  expect(sinceWhen(given)).toBe(since);
});

const findBucket = (ms: number) => Math.floor(Math.log(ms * 1000 + 1) / Math.log(BUCKET_RATIO));
const endpoint = (
  path: string,
  ms: number,
  requests = 50,
  given: Partial<EndpointTimes> = {},
): EndpointTimes => ({
  service: 'shop',
  method: 'GET',
  path,
  release: '',
  current: true,
  first: 0n,
  histogram: new Map([[findBucket(ms), requests]]),
  ...given,
});
const usual = ['/a', '/b', '/c', '/d', '/e'].map((path, at) => endpoint(path, 20 + 10 * at));

it.each([
  ['one that takes far longer', [endpoint('/slow', 4000)], ['/slow']],
  ['none of so few requests', [endpoint('/slow', 4000, 29)], []],
  ['none that took as long before only', [endpoint('/slow', 4000, 50, { current: false })], []],
  ['none that takes a little longer', [endpoint('/slow', 110)], []],
  [
    'one of two releases together',
    ['1', '2'].map((release) => endpoint('/slow', 4000, 20, { release })),
    ['/slow'],
  ],
  ['none of another service, which has no others', [endpoint('/slow', 4000, 50, { service: 'mail' })], []],
])('among the endpoints of a service %s stands out', (_which, more, paths) => {
  expect(findOutliers([...usual, ...more]).map(({ path }) => path)).toEqual(paths);
});

it('among endpoints that are all alike, one that takes half as long again is none; nor are quick ones felt', () => {
  const alike = ['/a', '/b', '/c', '/d', '/e'].map((path) => endpoint(path, 100));
  expect(findOutliers([...alike, endpoint('/f', 150)])).toEqual([]);
  const quick = ['/a', '/b', '/c', '/d', '/e'].map((path) => endpoint(path, 0.5));
  expect(findOutliers([...quick, endpoint('/f', 90)])).toEqual([]);
  expect(findOutliers([...quick, endpoint('/f', 120)])).toMatchObject([{ endpoints: 6 }]);
});

it('of four endpoints nobody knows what is usual', () => {
  expect(findOutliers([...usual.slice(0, 3), endpoint('/slow', 4000)])).toEqual([]);
});
