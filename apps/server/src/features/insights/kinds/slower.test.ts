import { expect, it } from 'vitest';
import { BUCKET_RATIO } from '../distributions.ts';
import { type EndpointTimes, findSlower, findSlowSince } from './slower.ts';

const hours = (...shares: readonly (readonly [requests: number, longer: number])[]) =>
  shares.map(([requests, longer], at) => ({ first: BigInt(at), requests, longer }));

it.each([
  ['from the third hour on', hours([10, 5], [10, 4], [10, 9], [10, 10]), 2n],
  ['from the first hour on', hours([10, 9], [10, 8], [10, 10]), 0n],
  ['from the last hour on', hours([100, 50], [100, 49], [100, 48], [20, 20]), 3n],
  ['with one quiet hour in between', hours([10, 3], [10, 9], [3, 1], [10, 9], [10, 9]), 1n],
  ['from the only hour on', hours([3, 3]), 0n],
  ['undefined, because there are no requests', [], undefined],
])(
  'the time since which requests take longer is found from hourly counts of slow requests: %s',
  (_when, given, since) => {
    expect(findSlowSince(given)).toBe(since);
  },
);

const findBucket = (ms: number) => Math.floor(Math.log(ms * 1000 + 1) / Math.log(BUCKET_RATIO));
const buildTimes = (release: string, ms: number, given: Partial<EndpointTimes> = {}): EndpointTimes => ({
  service: 'shop',
  environment: 'production',
  method: 'GET',
  path: '/orders',
  release,
  current: true,
  hourOfDay: 12,
  first: 0n,
  histogram: new Map([
    [findBucket(ms), 50],
    [findBucket(ms * 1.1), 50],
  ]),
  ...given,
});
const listReleases = (times: readonly EndpointTimes[]) =>
  findSlower(times).map(({ environment, releases }) => [environment, releases?.before, releases?.after]);

it('a slower release is reported while staging already runs the next release', () => {
  const times = [
    buildTimes('v1', 40, { current: false }),
    buildTimes('v2', 90, { first: 1n }),
    buildTimes('v3', 40, { first: 2n, environment: 'staging' }),
  ];
  expect(listReleases(times)).toEqual([['production', 'v1', 'v2']]);
});

it('a slower release is reported although a later release exists that is not slower', () => {
  const times = [
    buildTimes('v1', 40, { current: false }),
    buildTimes('v2', 90, { first: 1n }),
    buildTimes('v3', 90, { first: 2n }),
  ];
  expect(listReleases(times)).toEqual([['production', 'v1', 'v2']]);
});

it('the releases of staging are not compared with the releases of production', () => {
  const times = [
    buildTimes('v1', 40, { current: false }),
    buildTimes('v2', 90, { first: 1n, environment: 'staging' }),
  ];
  expect(listReleases(times)).toEqual([]);
});

it('requests of a release at noon are not compared with nightly requests of the previous release', () => {
  const times = [
    buildTimes('v1', 40, { current: false, hourOfDay: 3 }),
    buildTimes('v1', 40, { current: false, hourOfDay: 4 }),
    buildTimes('v1', 88, { current: false, hourOfDay: 12 }),
    buildTimes('v2', 90, { first: 1n, hourOfDay: 12 }),
  ];
  expect(listReleases(times)).toEqual([]);
});

it('a release that began in the evening is not compared with the faster requests of the afternoon', () => {
  const times = [
    buildTimes('v1', 40, { current: false, hourOfDay: 16 }),
    buildTimes('v1', 40, { current: false, hourOfDay: 17 }),
    buildTimes('v1', 88, { current: false, hourOfDay: 19 }),
    buildTimes('v2', 90, { first: 1n, hourOfDay: 19 }),
  ];
  expect(listReleases(times)).toEqual([]);
});

it('an endpoint is also compared in hours in which its new release served only other endpoints', () => {
  const times = [
    buildTimes('v1', 40, { current: false, hourOfDay: 16 }),
    buildTimes('v2', 90, { first: 1n, hourOfDay: 17 }),
    buildTimes('v2', 40, { first: 2n, hourOfDay: 16, path: '/account' }),
  ];
  expect(listReleases(times)).toEqual([['production', 'v1', 'v2']]);
});

it('a release that is slower at noon is found although the previous release also has nightly requests', () => {
  const times = [
    buildTimes('v1', 90, { current: false, hourOfDay: 3 }),
    buildTimes('v1', 40, { current: false, hourOfDay: 12 }),
    buildTimes('v2', 90, { first: 1n, hourOfDay: 12 }),
  ];
  expect(listReleases(times)).toEqual([['production', 'v1', 'v2']]);
});
