import { findStart } from '../changes/change-start.ts';
import { HOUR_MICROS, mergeHours, type ReleaseSeries } from '../changes/hour-series.ts';
import { countOver } from '../changes/signals.ts';
import { countRequests, findDurationAt, type Histogram } from '../distributions.ts';
import { buildEndpointKey } from '../endpoint-key.ts';
import type { Slower } from '../kinds/slower.ts';
import { includesRelease, SEARCHED_HOURS } from './find-release-changes.ts';

/**
 * True if an endpoint can have become slower when a release began. A cause in the middle of a release, such as a changed setting, also
 * makes the release slower than the previous release, but then the release is not the cause. True if the hours of the endpoint are unknown.
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
  const earlier = mergeHours(own.filter((one) => one !== ofRelease).map(({ hours }) => hours));
  const hours = new Map([
    ...[...earlier].filter(([at]) => at < start),
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
