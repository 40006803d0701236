import { findStart } from '../changes/change-start.ts';
import { HOUR_MICROS, mergeHours, type ReleaseSeries } from '../changes/hour-series.ts';
import { countOver, exceedsEachBlock } from '../changes/signals.ts';
import { countRequests, findDurationAt, type Histogram } from '../distributions.ts';
import { buildEndpointKey } from '../endpoint-key.ts';
import type { Slower } from '../kinds/slower.ts';
import { compareReleases } from './compare-releases.ts';
import { includesRelease, SEARCHED_HOURS } from './find-release-changes.ts';

/**
 * True if an endpoint can have become slower when a release began. A cause that begins while a release is running, such as a changed
 * setting, also makes the release slower than the previous release, but then the release is not the cause. Nor is the release the cause if
 * the endpoint was as slow on an earlier day at the same time, for example before the weekend. True if the hours of the endpoint are
 * unknown.
 */
export function beginsWithRelease(
  { releases, before, after, ...place }: Slower,
  all: readonly ReleaseSeries[],
): boolean {
  const key = buildEndpointKey(place);
  const own = all.filter(
    ({ part, signals, ...series }) =>
      part === null && signals.includes('p50') && buildEndpointKey(series) === key,
  );
  const ofRelease = own.find(({ release }) => release === releases?.after);
  if (releases === null || ofRelease === undefined) return true;
  const start = Number(releases.first / HOUR_MICROS);
  const others = mergeHours(own.filter((one) => one !== ofRelease).map((one) => one.hours));
  const previous = own.find(({ release }) => release === releases.before)?.hours ?? new Map();
  const isAtSameTime = findTimesOfDay(ofRelease.hours);
  const compared = compareReleases({
    after: ofRelease.hours,
    before: new Map([...previous].filter(([at]) => isAtSameTime(at))),
    others: new Map([...others].filter(([at]) => isAtSameTime(at))),
    ...{ start, tests: 1 },
  });
  if (!exceedsEachBlock(compared, 'p50')) return false;
  const hours = new Map([
    ...[...others].filter(([at]) => at < start),
    ...[...ofRelease.hours].filter(([at]) => at >= start),
  ]);
  const limitMs = Math.sqrt(findDurationAt(before, 0.5) * findDurationAt(after, 0.5));
  const share = (histogram: Histogram) => countOver(histogram, limitMs) / countRequests(histogram);
  const range = { from: start - SEARCHED_HOURS, until: Math.max(...hours.keys()) + 1 };
  const { interval } = findStart({ ...ofRelease, hours }, range, {
    count: ({ histogram }) => countOver(histogram, limitMs),
    before: share(before),
    after: share(after),
  });
  return includesRelease(interval, releases);
}

/**
 * Builds a function that is true for an hour whose time of day is between the release's first and last hour. If the release ran for a day
 * or longer, the function is true for all hours.
 */
function findTimesOfDay(release: ReleaseSeries['hours']): (at: number) => boolean {
  const first = Math.min(...release.keys());
  const length = Math.max(...release.keys()) + 1 - first;
  return (at) => length >= 24 || (((at - first) % 24) + 24) % 24 < length;
}
