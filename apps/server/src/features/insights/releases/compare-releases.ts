import { type Hour, type ReleaseSeries, sumUp, type Total } from '../changes/hour-series.ts';
import type { Compared, Stratum } from '../changes/signals.ts';
import { mergeHistograms } from '../distributions.ts';
import { findPartOfDay, PARTS_OF_DAY } from './release-pairs.ts';

type Hours = ReleaseSeries['hours'];

/**
 * The values of this number of days before a release count as usual, even on days before the previous release began. The different traffic
 * of a weekend is then not reported as a change.
 */
const USUAL_DAYS = 7;

/** One metric of a release, to be compared with the release before. */
export interface ReleaseComparison {
  /** The hours of the release, and of the release before. */
  readonly after: Hours;
  readonly before: Hours;
  /** The hours of all other releases. */
  readonly others: Hours;
  /** The hour in which the release began. */
  readonly start: number;
  readonly tests: number;
}

/** Compares the requests of a release with those of the release before, in the same parts of the day. */
export function compareReleases({ after, before, others, start, tests }: ReleaseComparison): Compared {
  const strata = Array.from({ length: PARTS_OF_DAY }, (_, part): Stratum => {
    const sumPart = (hours: Hours) =>
      sumUp([...hours].flatMap(([at, hour]) => (findPartOfDay(at) === part ? [hour] : [])));
    return { now: sumPart(after), before: sumPart(before) };
  });
  const parts = new Set(
    strata.flatMap(({ now, before: then }, part) => (now.requests > 0 && then.requests > 0 ? [part] : [])),
  );
  const shared = strata.filter((_, part) => parts.has(part));
  const now = addUp(shared.map((one) => one.now));
  const usual = [...others].filter(
    ([at]) => parts.has(findPartOfDay(at)) && (before.has(at) || isJustBefore(at, start)),
  );
  return {
    now,
    before: weighByParts(shared),
    blocks: listDays(usual),
    strata: shared,
    tests,
  };
}

const isJustBefore = (at: number, start: number) => at < start && at >= start - USUAL_DAYS * 24;

function listDays(hours: readonly (readonly [number, Hour])[]): Total[] {
  const days = Map.groupBy(hours, ([at]) => Math.floor(at / 24));
  return [...days.values()].map((all) => sumUp(all.map(([, hour]) => hour)));
}

function addUp(totals: readonly Total[]): Total {
  return {
    requests: totals.reduce((sum, { requests }) => sum + requests, 0),
    errors: totals.reduce((sum, { errors }) => sum + errors, 0),
    histogram: mergeHistograms(totals.map(({ histogram }) => histogram)),
  };
}

/**
 * Weights the earlier requests by part of the day, so that each part of the day has the same share of the earlier requests as of the later
 * requests. The total number of earlier requests stays the same.
 */
function weighByParts(strata: readonly Stratum[]): Total {
  const [now, before] = [addUp(strata.map((one) => one.now)), addUp(strata.map((one) => one.before))];
  const weighed = strata.map((one): Total => {
    const share = one.now.requests / now.requests;
    const weight = (share * before.requests) / one.before.requests;
    return {
      requests: one.before.requests * weight,
      errors: one.before.errors * weight,
      histogram: new Map([...one.before.histogram].map(([bucket, count]) => [bucket, count * weight])),
    };
  });
  return addUp(weighed);
}
