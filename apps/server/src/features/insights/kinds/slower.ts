import { type CountedHour, findChangePoint } from '../change-point.ts';
import { HOUR_MICROS } from '../changes/hour-series.ts';
import {
  compareStrata,
  countRequests,
  type DistributionPair,
  findDurationAt,
  type Histogram,
  mergeHistograms,
  weighByHours,
} from '../distributions.ts';
import { buildEndpointKey, type EndpointPlace } from '../endpoint-key.ts';
import {
  buildReleasePlace,
  findPartOfDay,
  findReleasePairs,
  PARTS_OF_DAY,
  type ReleasePair,
} from '../releases/release-pairs.ts';
import { findStartInterval, type StartInterval, weighShare } from '../start-interval.ts';

/** Requests of one endpoint and release in the same hour of the day. */
export interface EndpointTimes extends EndpointPlace {
  readonly release: string;
  /** True for the current period, false for the previous period. */
  readonly current: boolean;
  /** The hour of the day (UTC) in which the requests began. */
  readonly hourOfDay: number;
  /** When the first of these requests began, in epoch microseconds. */
  readonly first: bigint;
  readonly histogram: Histogram;
}

export interface Slower extends EndpointPlace {
  /** The compared releases; null if periods are compared. */
  readonly releases: ReleasePair | null;
  /** The earlier durations, weighted to the same hours of the day as `after`. */
  readonly before: Histogram;
  readonly after: Histogram;
  readonly requestsBefore: number;
  readonly effectSize: number;
  /** The p-value of the difference, corrected for the number of comparisons. */
  readonly pValue: number;
}

/**
 * A difference between two distributions is reported if both have enough requests, and if the difference is significant, large, and long
 * enough to be noticed.
 */
const LIMITS = { requests: 30, pValue: 0.01, effectSize: 0.2, ratio: 1.2, addedMs: 5 } as const;

/**
 * Finds the endpoints that became slower in an environment: with a release that began in the range, with the newest release, or, if neither
 * is the cause, since the previous period. `isFromRelease` tells whether the rise can have begun with the release.
 */
export function findSlower(
  times: readonly EndpointTimes[],
  releasesOf: ReadonlyMap<string, readonly ReleasePair[]> = findReleasePairs(times),
  isFromRelease: (one: Slower) => boolean = () => true,
): Slower[] {
  const endpoints = [...Map.groupBy(times, buildEndpointKey).values()];
  const hoursOfPlaces = findHoursOfPlaces(times);
  const pairs = endpoints.flatMap((all) => {
    const [one] = all;
    if (one === undefined) return [];
    const { service, environment, method, path } = one;
    const hours = hoursOfPlaces.get(buildReleasePlace(one));
    const byPeriod = {
      releases: null,
      strata: listStrata(
        all.filter(({ current, hourOfDay }) => !current && hours?.ofPeriod.has(hourOfDay)),
        all.filter(({ current }) => current),
      ),
    };
    const byRelease = (releasesOf.get(buildReleasePlace(one)) ?? []).map((releases) => {
      const ofRelease = hours?.ofReleases.get(releases.after);
      return {
        releases,
        strata: listStrata(
          all.filter(({ release, hourOfDay }) => release === releases.before && ofRelease?.has(hourOfDay)),
          all.filter(({ release }) => release === releases.after),
        ),
      };
    });
    return [...byRelease, byPeriod].flatMap(({ releases, strata }) => {
      const before = mergeHistograms(strata.map((stratum) => stratum.before));
      const after = mergeHistograms(strata.map((stratum) => stratum.after));
      const isEnough = countRequests(before) >= LIMITS.requests && countRequests(after) >= LIMITS.requests;
      return isEnough
        ? [{ service, environment, method, path, releases, strata, before: weighByHours(strata), after }]
        : [];
    });
  });
  const slower = pairs.flatMap(({ strata, ...pair }) => {
    const { effectSize, pValue } = compareStrata(strata);
    const corrected = Math.min(1, pValue * pairs.length);
    const isSlower =
      corrected < LIMITS.pValue && effectSize >= LIMITS.effectSize && isFelt(pair.before, pair.after);
    const found = { ...pair, requestsBefore: sumStrata(strata), effectSize, pValue: corrected };
    return isSlower && (pair.releases === null || isFromRelease(found)) ? [found] : [];
  });
  const withRelease = new Set(slower.filter(({ releases }) => releases !== null).map(buildEndpointKey));
  return slower.filter((one) => one.releases !== null || !withRelease.has(buildEndpointKey(one)));
}

/** Hours of the day in which a service received requests to any endpoint in an environment. */
interface HoursOfPlace {
  readonly ofPeriod: ReadonlySet<number>;
  readonly ofReleases: ReadonlyMap<string, ReadonlySet<number>>;
}

/**
 * Returns the hours of the day of the current period and of each release. Earlier requests are compared only in these hours: a release that
 * began in the late morning is not compared with the quieter early morning, which is in the same part of the day.
 */
function findHoursOfPlaces(times: readonly EndpointTimes[]): ReadonlyMap<string, HoursOfPlace> {
  const listHours = (some: readonly EndpointTimes[]) => new Set(some.map(({ hourOfDay }) => hourOfDay));
  return new Map(
    [...Map.groupBy(times, buildReleasePlace)].map(([place, own]) => [
      place,
      {
        ofPeriod: listHours(own.filter(({ current }) => current)),
        ofReleases: new Map(
          [...Map.groupBy(own, ({ release }) => release)].map(([release, some]) => [
            release,
            listHours(some),
          ]),
        ),
      },
    ]),
  );
}

/** Pairs the earlier and later requests of each part of the day. Leaves out parts of the day without earlier or without later requests. */
function listStrata(before: readonly EndpointTimes[], after: readonly EndpointTimes[]): DistributionPair[] {
  const pick = (all: readonly EndpointTimes[], at: number) =>
    mergeHistograms(
      all.filter(({ hourOfDay }) => findPartOfDay(hourOfDay) === at).map(({ histogram }) => histogram),
    );
  return Array.from({ length: PARTS_OF_DAY }, (_, at) => ({
    before: pick(before, at),
    after: pick(after, at),
  })).filter((stratum) => stratum.before.size > 0 && stratum.after.size > 0);
}

const sumStrata = (strata: readonly DistributionPair[]) =>
  strata.reduce((sum, { before }) => sum + countRequests(before), 0);

function isFelt(before: Histogram, after: Histogram): boolean {
  const [then, now] = [findDurationAt(before, 0.5), findDurationAt(after, 0.5)];
  return now >= then * LIMITS.ratio && now - then >= LIMITS.addedMs;
}

/** The requests of an endpoint in one hour. */
export interface HourOfRequests {
  /** When the first of these requests began, in epoch microseconds. */
  readonly first: bigint;
  readonly requests: number;
  /** The number of requests slower than the median before the change. */
  readonly longer: number;
}

/**
 * Returns the start of the first request in the hour since which requests take longer than the earlier median (the change point). `hours`
 * are in chronological order and all have requests. Returns undefined if there are no hours.
 */
export function findSlowSince(hours: readonly HourOfRequests[]): bigint | undefined {
  const counted = hours.map(({ requests, longer }) => ({ requests, changed: longer }));
  const since = counted.slice(findChangePoint(counted, findShare(counted)));
  return hours[findChangePoint(counted, (0.5 + Math.max(0.5, findShare(since))) / 2)]?.first;
}

/**
 * Finds the interval that contains the time at which an endpoint became slower. Before this time, the share of requests slower than the
 * earlier median is 0.5, by the definition of the median.
 */
export function findSlowInterval(hours: readonly HourOfRequests[]): StartInterval | undefined {
  const counted = hours.map(({ first, requests, longer }) => ({
    at: Number(first / HOUR_MICROS),
    requests,
    changed: longer,
  }));
  const since = counted.slice(findChangePoint(counted, findShare(counted)));
  const [start, end] = [counted[0]?.at, counted.at(-1)?.at];
  if (start === undefined || end === undefined || findShare(since) <= 0.5) return undefined;
  const shares = { before: 0.5, after: findShare(since) };
  return findStartInterval(
    counted.map((hour) => weighShare(hour, shares)),
    { from: start, until: end + 1 },
  );
}

function findShare(hours: readonly CountedHour[]): number {
  const requests = hours.reduce((sum, hour) => sum + hour.requests, 0);
  return hours.reduce((sum, hour) => sum + hour.changed, 0) / requests;
}
