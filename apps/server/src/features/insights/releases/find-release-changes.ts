import { runInSlices } from '../../../platform/queues/run-in-slices.ts';
import { findStart, type Measure } from '../changes/change-start.ts';
import { buildMeasure, type Change, chooseLatency, describeKind, judge } from '../changes/find-changes.ts';
import { type GroupedChange, groupChanges } from '../changes/group-changes.ts';
import {
  buildSeriesKey,
  HOUR_MICROS,
  type HourSeries,
  isLatencySignal,
  mergeHours,
  type ReleaseSeries,
  type Signal,
} from '../changes/hour-series.ts';
import { type Compared, findTailMs, type Judged } from '../changes/signals.ts';
import type { StartInterval } from '../start-interval.ts';
import { compareReleases, type ReleaseComparison } from './compare-releases.ts';
import { buildReleasePlace, type ReleasePair } from './release-pairs.ts';

/** A metric of an endpoint that is worse in a release than in the release before. */
export interface ReleaseChange extends Change {
  readonly releases: ReleasePair;
  /** The duration in ms from which a request is slow, if the change is about slow requests. */
  readonly tailMs: number | null;
  readonly measure: Measure;
}

export type GroupedReleaseChange = GroupedChange & ReleaseChange;

/** Metrics that are not compared: `findSlower` compares the medians, and a release does not decide how many requests arrive. */
const LEFT_OUT: ReadonlySet<Signal> = new Set(['p50', 'requests']);
/**
 * The search for the start of a change begins this number of hours before the release, because the change can have begun earlier.
 */
export const SEARCHED_HOURS = 7 * 24;
/**
 * Tolerance between the start of a change and the first request of a release, because a release needs some time until it gets all requests.
 */
const ROLLOUT_HOURS = 1;
/**
 * If a release has requests in at least this number of hours, a metric must also be worse without the worst hour, because requests can fail
 * during a restart.
 */
const MANY_HOURS = 4;

/**
 * Finds the metrics that are worse in a release than in the release before, in the same parts of the day. `isKnown` tells which changes
 * another finding covers.
 */
export async function findReleaseChanges(
  series: readonly ReleaseSeries[],
  pairs: ReadonlyMap<string, readonly ReleasePair[]>,
  isKnown: (change: Change) => boolean,
): Promise<GroupedReleaseChange[]> {
  const compared = listComparisons(series, pairs);
  const tests = new Map<string, number>();
  for (const { after } of compared) {
    const kind = describeKind(after);
    tests.set(kind, (tests.get(kind) ?? 0) + after.signals.filter((signal) => !LEFT_OUT.has(signal)).length);
  }
  const changes: ReleaseChange[] = [];
  await runInSlices(compared, (one) => {
    changes.push(...listRises(one, tests.get(describeKind(one.after)) ?? 1));
  });
  const ofPairs = Map.groupBy(
    changes.filter((change) => !isKnown(change)),
    ({ series: place, releases }) => JSON.stringify([buildReleasePlace(place), releases.after]),
  );
  return [...ofPairs.values()].flatMap((all) =>
    groupChanges(all, series).flatMap((grouped) => {
      const own = all.find((change) => change.series === grouped.series && change.signal === grouped.signal);
      return own === undefined ? [] : [{ ...own, also: grouped.also }];
    }),
  );
}

/** One metric of an endpoint in a release (`after`), in the release before, and in all releases except `after`. */
interface Comparison {
  readonly releases: ReleasePair;
  readonly after: HourSeries;
  readonly before: HourSeries;
  readonly others: HourSeries['hours'];
}

function listComparisons(
  series: readonly ReleaseSeries[],
  pairs: ReadonlyMap<string, readonly ReleasePair[]>,
): Comparison[] {
  return [...Map.groupBy(series, buildSeriesKey).values()].flatMap((alike) => {
    const [first] = alike;
    const ofPlace = first === undefined ? [] : (pairs.get(buildReleasePlace(first)) ?? []);
    return ofPlace.flatMap((releases) => {
      const after = alike.find(({ release }) => release === releases.after);
      const before = alike.find(({ release }) => release === releases.before);
      if (after === undefined || before === undefined) return [];
      const others = mergeHours(alike.filter((one) => one !== after).map(({ hours }) => hours));
      return [{ releases, after, before, others }];
    });
  });
}

function listRises({ releases, after, before, others }: Comparison, tests: number): ReleaseChange[] {
  const given: ReleaseComparison = {
    ...{ after: after.hours, before: before.hours, others, tests },
    start: Number(releases.first / HOUR_MICROS),
  };
  const compared = compareReleases(given);
  if (compared.strata.length === 0) return [];
  const judged = after.signals.flatMap((signal): Judged[] => {
    const found = LEFT_OUT.has(signal) ? undefined : judge(signal, compared, after.part);
    return found === undefined || isOfOneHour(found, compared, given, after) ? [] : [found];
  });
  const latency = chooseLatency(judged);
  return judged
    .filter((found) => !isLatencySignal(found.signal) || found === latency)
    .flatMap((found) => describeRise(found, compared, given, { releases, after, before, others }));
}

/** True if a metric is worse only because of the worst hour of the release. */
function isOfOneHour(
  found: Judged,
  compared: Compared,
  given: ReleaseComparison,
  { part }: HourSeries,
): boolean {
  if (given.after.size < MANY_HOURS) return false;
  const { count } = buildMeasure(found, compared);
  const [worst] = [...given.after].sort(([, a], [, b]) => count(b) - count(a));
  const rest = new Map([...given.after].filter(([at]) => at !== worst?.[0]));
  const without = compareReleases({ ...given, after: rest });
  return without.strata.length === 0 || judge(found.signal, without, part) === undefined;
}

function describeRise(
  found: Judged,
  compared: Compared,
  { start }: ReleaseComparison,
  { releases, after, before, others }: Comparison,
): ReleaseChange[] {
  const { signal } = found;
  const measure = buildMeasure(found, compared);
  const until = Math.max(...after.hours.keys()) + 1;
  const earlier = new Map([...others].filter(([at]) => at < start));
  const later = new Map([...after.hours].filter(([at]) => at >= start));
  const range = { from: start - SEARCHED_HOURS, until };
  const { interval } = findStart({ ...after, hours: new Map([...earlier, ...later]) }, range, measure);
  if (!includesRelease(interval, releases)) return [];
  return [
    {
      ...found,
      ...{ series: after, releases, measure, start, interval: undefined },
      window: { from: start, until },
      since: Math.min(...before.hours.keys()),
      requestsBefore: compared.strata.reduce((sum, stratum) => sum + stratum.before.requests, 0),
      requestsAfter: compared.now.requests,
      tailMs: signal === 'p95' || signal === 'p99' ? findTailMs(signal, compared.before.histogram) : null,
    },
  ];
}

/**
 * True if a change can have begun with a release: the release's first request is in the interval in which the change began, with a
 * tolerance of `ROLLOUT_HOURS`.
 */
export function includesRelease(interval: StartInterval | undefined, { first }: ReleasePair): boolean {
  if (interval === undefined) return false;
  const at = Number(first) / Number(HOUR_MICROS);
  return interval.from - ROLLOUT_HOURS <= at && at <= interval.until + ROLLOUT_HOURS;
}
