import {
  compareDistributions,
  countRequests,
  durationAt,
  type Histogram,
  together,
} from './distributions.ts';

/** Requests of one endpoint and release that took about as long. */
export interface EndpointTimes {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly release: string;
  /** True for the current period, false for the one before. */
  readonly current: boolean;
  /** When the first of them began, epoch µs. */
  readonly first: bigint;
  readonly histogram: Histogram;
}

export interface Slower {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  /** The releases, where not periods are compared. */
  readonly releases: { readonly after: string; readonly before: string; readonly first: bigint } | null;
  readonly before: Histogram;
  readonly after: Histogram;
  readonly effectSize: number;
  /** Corrected for the number of tests. */
  readonly pValue: number;
}

/** A reported difference has enough requests on both sides, is significant, large, and long enough to be felt. */
const LIMITS = { requests: 30, pValue: 0.01, effectSize: 0.2, ratio: 1.2, addedMs: 5 } as const;

/** Endpoints that became slower: with their service's newest release, or, where that is not it, since the period before. */
export function findSlower(times: readonly EndpointTimes[]): Slower[] {
  const endpoints = [
    ...Map.groupBy(times, ({ service, method, path }) => JSON.stringify([service, method, path])).values(),
  ];
  const releasesOf = new Map(
    [...Map.groupBy(times, ({ service }) => service)].map(([service, own]) => [service, newestReleases(own)]),
  );
  const pairs = endpoints.flatMap((all) => {
    const [one] = all;
    if (one === undefined) return [];
    const of = (some: readonly EndpointTimes[]) => together(some.map(({ histogram }) => histogram));
    const { service, method, path } = one;
    const releases = releasesOf.get(service) ?? null;
    const byPeriod = {
      releases: null,
      before: of(all.filter(({ current }) => !current)),
      after: of(all.filter(({ current }) => current)),
    };
    const byRelease = releases && {
      releases,
      before: of(all.filter(({ release }) => release === releases.before)),
      after: of(all.filter(({ release }) => release === releases.after)),
    };
    return [byRelease, byPeriod].flatMap((pair) =>
      pair && countRequests(pair.before) >= LIMITS.requests && countRequests(pair.after) >= LIMITS.requests
        ? [{ service, method, path, ...pair }]
        : [],
    );
  });
  const slower = pairs.flatMap((pair) => {
    const { effectSize, pValue } = compareDistributions(pair.before, pair.after);
    const corrected = Math.min(1, pValue * pairs.length);
    const isSlower =
      corrected < LIMITS.pValue && effectSize >= LIMITS.effectSize && isFelt(pair.before, pair.after);
    return isSlower ? [{ ...pair, effectSize, pValue: corrected }] : [];
  });
  const withRelease = new Set(slower.filter(({ releases }) => releases !== null).map(buildKey));
  return slower.filter((one) => one.releases !== null || !withRelease.has(buildKey(one)));
}

const buildKey = ({ service, method, path }: Pick<Slower, 'service' | 'method' | 'path'>) =>
  JSON.stringify([service, method, path]);

function isFelt(before: Histogram, after: Histogram): boolean {
  const [then, now] = [durationAt(before, 0.5), durationAt(after, 0.5)];
  return now >= then * LIMITS.ratio && now - then >= LIMITS.addedMs;
}

/** A service's newest release and the one before it, by when they were first seen; null where there are no two. */
function newestReleases(ofService: readonly EndpointTimes[]): Slower['releases'] {
  const own = ofService.filter(({ release }) => release !== '');
  const starts = [...Map.groupBy(own, ({ release }) => release)].map(([release, all]) => ({
    release,
    first: all.map(({ first }) => first).sort((a, b) => Number(a - b))[0] ?? 0n,
  }));
  const [after, before] = starts.sort((a, b) => Number(b.first - a.first));
  if (after === undefined || before === undefined) return null;
  return { after: after.release, before: before.release, first: after.first };
}

/** The requests of an endpoint in one hour. */
export interface HourOfRequests {
  /** When the first of them began, epoch µs. */
  readonly first: bigint;
  readonly requests: number;
  /** The number of requests slower than the earlier median. */
  readonly longer: number;
}

/**
 * Since when requests take longer: the first request of the hour from which the share that is longer than before departs most from a half
 * (the change point of a cumulative sum). `hours` are in their order, with requests in each; undefined where there are none.
 */
export function sinceWhen(hours: readonly HourOfRequests[]): bigint | undefined {
  let [since, most, sum] = [hours[0]?.first, Number.NEGATIVE_INFINITY, 0];
  for (const { first, requests, longer } of hours.toReversed()) {
    sum += longer - requests / 2;
    if (sum < most) continue;
    most = sum;
    since = first;
  }
  return since;
}
