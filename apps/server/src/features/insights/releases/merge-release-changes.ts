import { findFamily, type GroupedChange, isTogether, leadsTo } from '../changes/group-changes.ts';
import type { HourSeries, Part } from '../changes/hour-series.ts';
import { sumUp } from '../changes/hour-series.ts';
import { buildEndpointKey } from '../endpoint-key.ts';
import { type GroupedReleaseChange, includesRelease } from './find-release-changes.ts';
import type { ReleasePair } from './release-pairs.ts';

/** A change to report. */
export interface ReportedChange extends GroupedChange {
  /** The basis of the comparison: the same hours of earlier days, or the release before. */
  readonly against: 'earlierDays' | 'release';
  /** The release with which the change began, and the release before; null if the change did not begin with a release. */
  readonly releases: ReleasePair | null;
  /** The duration in ms from which a request is slow, if releases were compared and the change is about slow requests. */
  readonly tailMs: number | null;
}

/**
 * Merges the changes against earlier days with the changes against the release before, so that each cause has one finding. A change against
 * the release before is reported if it describes everything that changed. Otherwise the change against earlier days is reported, and names
 * the release: if the change affects more endpoints or only a part of the requests, if it goes on in later releases, or if it is a cause
 * such as a slow dependency.
 */
export function mergeReleaseChanges(
  changes: readonly GroupedChange[],
  ofReleases: readonly GroupedReleaseChange[],
): ReportedChange[] {
  const named = new Map<GroupedChange, ReleasePair>();
  const replaced = new Set<GroupedChange>();
  const own = ofReleases.filter((one) => {
    const causes = changes.filter((change) => leadsTo(change, one));
    const alike = changes.filter((change) => isAlike(change, one) && isSince(change, one));
    const kept = [...causes, ...alike.filter((change) => !describesAll(one, change))];
    for (const change of kept) {
      if (isSince(change, one) && !named.has(change)) named.set(change, one.releases);
    }
    if (kept.length > 0) return false;
    for (const change of alike) replaced.add(change);
    return true;
  });
  const byTime = changes
    .filter((change) => named.has(change) || !replaced.has(change))
    .filter((change) => !own.some((one) => leadsTo(one, change)))
    .map((change): ReportedChange => {
      return { ...change, against: 'earlierDays', releases: named.get(change) ?? null, tailMs: null };
    });
  return [...byTime, ...own.map((one): ReportedChange => ({ ...one, against: 'release' }))];
}

/** True if a change can have begun with a release. */
function isSince({ interval, start }: GroupedChange, one: GroupedReleaseChange): boolean {
  return interval === undefined ? isTogether(start, one.start) : includesRelease(interval, one.releases);
}

const listPlaces = ({ series, also }: GroupedChange) => [series, ...also].map(buildEndpointKey);

/** True if both changes are about the same metric of an endpoint. */
function isAlike(change: GroupedChange, one: GroupedReleaseChange): boolean {
  const places = new Set(listPlaces(one));
  return (
    findFamily(change.signal) === findFamily(one.signal) &&
    listPlaces(change).some((place) => places.has(place)) &&
    (change.series.part?.name !== one.series.part?.name || isSamePart(change.series.part, one.series.part))
  );
}

function isSamePart(a: Part | null, b: Part | null): boolean {
  return a?.name === b?.name && (a?.error?.id ?? a?.value) === (b?.error?.id ?? b?.value);
}

/** True if the change against the release before (`one`) covers everything that changed against earlier days (`change`). */
function describesAll(one: GroupedReleaseChange, change: GroupedChange): boolean {
  const places = new Set(listPlaces(one));
  const { part } = change.series;
  return (
    change.signal !== 'p50' &&
    (part === null || isSamePart(part, one.series.part)) &&
    listPlaces(change).every((place) => places.has(place)) &&
    !goesOn(one, change.series)
  );
}

/**
 * True if the requests after the release's last hour still have the change: the share of requests that have the change is above the middle
 * between the shares before and after the change.
 */
function goesOn({ measure, window }: GroupedReleaseChange, { hours }: HourSeries): boolean {
  const later = [...hours].flatMap(([at, hour]) => (at >= window.until ? [hour] : []));
  const { requests } = sumUp(later);
  const changed = later.reduce((sum, hour) => sum + measure.count(hour), 0);
  return requests > 0 && changed / requests > (measure.before + measure.after) / 2;
}
