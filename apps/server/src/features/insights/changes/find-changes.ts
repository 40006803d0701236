import { findDurationAt } from '../distributions.ts';
import { type ChangeStart, findStart, findTrafficStart } from './change-start.ts';
import {
  type HourRange,
  type HourSeries,
  isLatencySignal,
  listBlocks,
  type Part,
  type Signal,
  sumBaseline,
  sumHours,
} from './hour-series.ts';
import {
  BASE_REQUESTS,
  type Compared,
  countOver,
  findTailMs,
  type Judged,
  judgeMedian,
  judgeShare,
  judgeTail,
  judgeTraffic,
} from './signals.ts';

/** A metric of an endpoint that differs from its value at the same hours of earlier days. */
export interface Change extends Judged, ChangeStart {
  readonly series: HourSeries;
  /** The window that was compared with earlier days, in hours since the epoch. */
  readonly window: HourRange;
  /** The first hour of the history that the window was compared with. */
  readonly since: number;
  readonly requestsBefore: number;
  readonly requestsAfter: number;
}

export interface Span {
  /** The first hour of the history. */
  readonly since: number;
  /** The first hour of the range that is examined. */
  readonly from: number;
  /** The hour in which the range ends; it can still be incomplete. */
  readonly until: number;
  /** True if the hour `until` is complete. */
  readonly isWhole: boolean;
}

/** Window lengths in hours. Only windows within the range are compared. */
const WINDOWS = [1, 6, 12, 24, 48, 72, 168] as const;
const TRAFFIC_WINDOWS = [6, 12, 18, 24] as const;
/**
 * Minimum window in hours in which the duration of a dependency is compared. Only each hour's mean is known, and in shorter windows the
 * mean depends on the mix of calls.
 */
const DEPENDENCY_HOURS = 6;
/** Minimum length of the history in hours: a shorter history does not show the usual values. */
const MIN_HISTORY = 24;

/** Yields the changes of one series after the other. For a project with many endpoints, all series together can take seconds. */
export function* findChanges(series: readonly HourSeries[], span: Span): Generator<readonly Change[]> {
  const tests = countTests(series);
  for (const one of series) {
    const own = { ...span, since: Math.max(span.since, findFirstHour(one) + 1) };
    yield [...listRises(one, own, tests.get(describeKind(one)) ?? 1), ...listTraffic(one, own)];
  }
}

/** Windows overlap, so all windows of a metric count as about this many independent comparisons. */
const INDEPENDENT_WINDOWS = 3;

/**
 * Returns the kind of a series. The correction for chance is made per kind, so that comparisons of many instances do not hide a change of
 * an endpoint.
 */
export const describeKind = ({ part, signals }: HourSeries) => `${part?.name} ${signals.join()}`;

/** Counts the comparisons for each kind of series. */
function countTests(series: readonly HourSeries[]): ReadonlyMap<string, number> {
  const kinds = Map.groupBy(series, describeKind);
  return new Map(
    [...kinds].map(([kind, all]) => [
      kind,
      all.reduce((sum, { signals }) => sum + signals.length, 0) * INDEPENDENT_WINDOWS,
    ]),
  );
}

/** Returns the hour of the first request of a series. The series has no history before this hour. */
function findFirstHour({ hours }: HourSeries): number {
  let first = Number.POSITIVE_INFINITY;
  for (const hour of hours.keys()) first = Math.min(first, hour);
  return first;
}

function listRises(series: HourSeries, span: Span, tests: number): Change[] {
  const end = span.until + 1;
  const windows = WINDOWS.map((length) => ({ from: end - length, until: end })).filter(
    ({ from }) => from >= span.from - 1 && from - span.since >= MIN_HISTORY,
  );
  const judged = windows.flatMap((window) => {
    const compared = compareWindow(series, window, span.since, tests);
    return series.signals.flatMap((signal) => {
      const isBrief = window.until - window.from < DEPENDENCY_HOURS;
      if (isBrief && signal === 'p50' && series.part?.name === 'dependency') return [];
      const found = judge(signal, compared, series.part);
      return found === undefined ? [] : [{ found, window, compared }];
    });
  });
  const best = [...Map.groupBy(judged, ({ found }) => found.signal).values()].flatMap((all) =>
    all.sort((a, b) => a.found.pValue - b.found.pValue).slice(0, 1),
  );
  const latency = chooseLatency(best.map(({ found }) => found));
  return best
    .filter(({ found }) => !isLatencySignal(found.signal) || found === latency)
    .map(({ found, window, compared }) => ({
      ...found,
      series,
      window,
      since: span.since,
      ...findStart(
        series,
        { from: Math.max(span.from, span.since), until: end },
        {
          ...buildMeasure(found, found.signal === 'memory' ? compareRange(series, span, compared) : compared),
          isGradual: found.signal === 'memory',
          isMean: found.signal === 'p50' && series.part?.name === 'dependency',
        },
      ),
      requestsBefore: compared.before.requests,
      requestsAfter: compared.now.requests,
    }));
}

/**
 * Chooses one percentile to report, because one cause raises several of them. Reports the median if it rose, otherwise the percentile whose
 * rise is least likely by chance.
 */
export function chooseLatency(found: readonly Judged[]): Judged | undefined {
  const [least] = found
    .filter(({ signal }) => signal === 'p95' || signal === 'p99')
    .toSorted((a, b) => a.pValue - b.pValue);
  return found.find(({ signal }) => signal === 'p50') ?? least;
}

export function judge(signal: Signal, compared: Compared, part: Part | null): Judged | undefined {
  switch (signal) {
    case 'p95':
    case 'p99':
      return judgeTail(signal, compared);
    case 'errorRate':
    case 'cacheMisses':
      return judgeShare(signal, compared, part?.name === 'error' ? 'error' : signal);
    case 'requests':
      // Traffic is compared in `listTraffic`, over the windows in TRAFFIC_WINDOWS.
      return undefined;
    default:
      return judgeMedian(
        signal,
        compared,
        signal === 'p50' && part?.name === 'dependency' ? 'dependency' : signal,
      );
  }
}

function listTraffic(series: HourSeries, span: Span): Change[] {
  if (!series.signals.includes('requests')) return [];
  // An incomplete hour has too few requests to compare.
  const end = span.isWhole ? span.until + 1 : span.until;
  for (const length of TRAFFIC_WINDOWS) {
    const window = { from: end - length, until: end };
    if (window.from < span.from) continue;
    const compared = compareWindow(series, window, span.since, 1);
    const found = judgeTraffic(compared);
    if (found === undefined) continue;
    const range = { from: Math.max(span.from, span.since), until: end };
    const { before, now } = compared;
    return [
      {
        ...found,
        ...findTrafficStart(series, range, span.since, found.after / found.before),
        series,
        window,
        since: span.since,
        requestsBefore: before.requests,
        requestsAfter: now.requests,
      },
    ];
  }
  return [];
}

function compareWindow(series: HourSeries, window: HourRange, since: number, tests: number): Compared {
  const now = sumHours(series, window);
  const before = sumBaseline(series, window, since);
  let blocks: Compared['blocks'] | undefined;
  return {
    ...{ now, before, strata: [{ now, before }], tests },
    // `blocks` is computed on demand: adding up the earlier days takes long, and the rules find most metrics unchanged before they need
    // `blocks`.
    get blocks() {
      blocks ??= listBlocks(series, window, since);
      return blocks;
    },
  };
}

/**
 * For a metric that grows slowly, compares the window with the time before the range, because the metric had already grown just before the
 * window.
 */
function compareRange(series: HourSeries, { since, from }: Span, compared: Compared): Compared {
  const before = sumHours(series, { from: since, until: from });
  return before.requests < BASE_REQUESTS ? compared : { ...compared, before };
}

/**
 * Returns `count`, which counts the requests of an hour that have the change. Also returns the shares of such requests before and after the
 * change.
 */
export function buildMeasure({ signal }: Judged, { now, before }: Compared) {
  if (signal === 'errorRate' || signal === 'cacheMisses') {
    return {
      count: ({ errors }: { readonly errors: number }) => errors,
      before: before.errors / before.requests,
      after: now.errors / now.requests,
    };
  }
  const limitMs =
    signal === 'p95' || signal === 'p99'
      ? findTailMs(signal, before.histogram)
      : // A metric that grows slowly began to change when it exceeded all earlier values.
        signal === 'memory'
        ? findDurationAt(before.histogram, 0.99) * 1.1
        : Math.sqrt(findDurationAt(before.histogram, 0.5) * findDurationAt(now.histogram, 0.5));
  return {
    count: ({ histogram }: { readonly histogram: ReadonlyMap<number, number> }) =>
      countOver(histogram, limitMs),
    before: countOver(before.histogram, limitMs) / before.requests,
    after: countOver(now.histogram, limitMs) / now.requests,
  };
}
