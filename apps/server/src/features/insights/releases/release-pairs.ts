import type { EndpointPlace } from '../endpoint-key.ts';

/** A release, and the release before it in the same environment. */
export interface ReleasePair {
  readonly after: string;
  readonly before: string;
  /** When the first request of the release began, in epoch microseconds. */
  readonly first: bigint;
}

/** Some requests of one release. */
interface SeenRelease extends Pick<EndpointPlace, 'service' | 'environment'> {
  readonly release: string;
  /** True for requests in the examined period, false for requests before it. */
  readonly current: boolean;
  readonly first: bigint;
}

/** Releases are compared per environment, because staging already runs the next release. */
export const buildReleasePlace = ({ service, environment }: Pick<EndpointPlace, 'service' | 'environment'>) =>
  JSON.stringify([service, environment]);

/** Returns the pairs of releases to compare. The keys of the map are built from service and environment by {@link buildReleasePlace}. */
export function findReleasePairs(times: readonly SeenRelease[]): ReadonlyMap<string, readonly ReleasePair[]> {
  return new Map(
    [...Map.groupBy(times, buildReleasePlace)].map(([place, own]) => [place, listReleasePairs(own)]),
  );
}

/**
 * Lists pairs of a release and its predecessor: one pair for each release that began in the current period, and one for the newest release.
 * Sorted by the first request of the release.
 */
function listReleasePairs(ofPlace: readonly SeenRelease[]): ReleasePair[] {
  const own = ofPlace.filter(({ release }) => release !== '');
  const releases = [...Map.groupBy(own, ({ release }) => release)]
    .map(([release, all]) => ({
      release,
      first: all.map(({ first }) => first).sort((a, b) => Number(a - b))[0] ?? 0n,
      isNew: all.every(({ current }) => current),
    }))
    .sort((a, b) => Number(a.first - b.first));
  return releases.flatMap(({ release, first, isNew }, at) => {
    const before = releases[at - 1];
    const isLooked = isNew || at === releases.length - 1;
    return before === undefined || !isLooked ? [] : [{ after: release, before: before.release, first }];
  });
}

/** The hours of the day are compared in parts of this size. A release that began at noon is thus not compared with requests at night. */
const PART_HOURS = 4;
export const PARTS_OF_DAY = 24 / PART_HOURS;

/** Returns the part of the day (UTC) to which an hour belongs: an hour of the day, or an hour since the epoch. */
export function findPartOfDay(hour: number): number {
  return Math.floor((hour % 24) / PART_HOURS);
}
