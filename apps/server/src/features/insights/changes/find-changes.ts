import { durationAt } from '../distributions.ts';
import { findStart, findTrafficStart } from './change-start.ts';
import {
  type HourRange,
  type HourSeries,
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

/** A figure of an endpoint that is not as it was at the same hours before. */
export interface Change extends Judged {
  readonly series: HourSeries;
  /** The compared window, in hours since the epoch. */
  readonly window: HourRange;
  /** The hour since the epoch in which the change began. */
  readonly start: number;
  /** The first hour of the series' history. */
  readonly since: number;
  readonly requestsBefore: number;
  readonly requestsAfter: number;
}

export interface Span {
  /** The first hour of the comparison's history. */
  readonly since: number;
  /** The first hour that is looked at. */
  readonly from: number;
  /** The hour in which the range ends, which may not be over. */
  readonly until: number;
  /** True where that hour is over too. */
  readonly isWhole: boolean;
}

/** The lengths of the windows, hours. Only windows within the range are looked at. */
const WINDOWS = [1, 6, 12, 24, 48, 72, 168] as const;
const TRAFFIC_WINDOWS = [6, 12, 18, 24] as const;
/** A dependency's hours are known by their means alone, which the mix of calls decides in one of them. */
const DEPENDENCY_HOURS = 6;
/** A history of fewer hours has hardly a habit. */
const MIN_HISTORY = 24;

/** Finds the changed figures of each series, for each figure the least likely by chance of all windows. */
export function findChanges(series: readonly HourSeries[], span: Span): Change[] {
  const tests = countTests(series);
  return series.flatMap((one) => {
    const own = { ...span, since: Math.max(span.since, findFirstHour(one) + 1) };
    return [...listRises(one, own, tests.get(describeKind(one)) ?? 1), ...listTraffic(one, own)];
  });
}

/** Windows overlap: all of one figure are about as many independent comparisons. */
const INDEPENDENT_WINDOWS = 3;

/** Parts of one kind are corrected for one another: many instances must not hide an endpoint. */
const describeKind = ({ part, signals }: HourSeries) => `${part?.name} ${signals.join()}`;

/** Counts the comparisons of each kind of series. */
function countTests(series: readonly HourSeries[]): ReadonlyMap<string, number> {
  const kinds = Map.groupBy(series, describeKind);
  return new Map(
    [...kinds].map(([kind, all]) => [
      kind,
      all.reduce((sum, { signals }) => sum + signals.length, 0) * INDEPENDENT_WINDOWS,
    ]),
  );
}

/** An endpoint has no history before its first request. */
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
  // A longer tail is part of a higher median.
  const isSlower = best.some(({ found }) => found.signal === 'p50');
  return best
    .filter(({ found }) => !isSlower || found.signal !== 'p99')
    .map(({ found, window, compared }) => ({
      ...found,
      series,
      window,
      since: span.since,
      start: findStart(
        series,
        { from: Math.max(span.from, span.since), until: end },
        buildMeasure(found, found.signal === 'memory' ? compareRange(series, span, compared) : compared),
      ),
      requestsBefore: compared.before.requests,
      requestsAfter: compared.now.requests,
    }));
}

function judge(signal: Signal, compared: Compared, part: Part | null): Judged | undefined {
  switch (signal) {
    case 'p99':
      return judgeTail(compared);
    case 'errorRate':
    case 'cacheMisses':
      return judgeShare(signal, compared, part?.name === 'error' ? 'error' : signal);
    case 'requests':
      // Compared over windows of its own.
      return undefined;
    default:
      return judgeMedian(signal, compared, part?.name === 'dependency' ? 'dependency' : signal);
  }
}

function listTraffic(series: HourSeries, span: Span): Change[] {
  if (!series.signals.includes('requests')) return [];
  // An hour that is not over has fewer requests than it will have.
  const end = span.isWhole ? span.until + 1 : span.until;
  for (const length of TRAFFIC_WINDOWS) {
    const window = { from: end - length, until: end };
    if (window.from < span.from) continue;
    const compared = compareWindow(series, window, span.since, 1);
    const found = judgeTraffic(compared);
    if (found === undefined) continue;
    const range = { from: Math.max(span.from, span.since), until: end };
    const start = findTrafficStart(series, range, span.since, found.after / found.before);
    const { before, now } = compared;
    return [
      {
        ...found,
        series,
        window,
        since: span.since,
        start,
        requestsBefore: before.requests,
        requestsAfter: now.requests,
      },
    ];
  }
  return [];
}

function compareWindow(series: HourSeries, window: HourRange, since: number, tests: number): Compared {
  return {
    now: sumHours(series, window),
    before: sumBaseline(series, window, since),
    blocks: listBlocks(series, window, since),
    tests,
  };
}

/** A figure that grows slowly is compared with the time before the range: it has grown already before the window. */
function compareRange(series: HourSeries, { since, from }: Span, compared: Compared): Compared {
  const before = sumHours(series, { from: since, until: from });
  return before.requests < BASE_REQUESTS ? compared : { ...compared, before };
}

/** Builds the count of an hour's requests that have the change, and the share of them before and after. */
function buildMeasure({ signal }: Judged, { now, before }: Compared) {
  if (signal === 'errorRate' || signal === 'cacheMisses') {
    return {
      count: ({ errors }: { readonly errors: number }) => errors,
      before: before.errors / before.requests,
      after: now.errors / now.requests,
    };
  }
  const limitMs =
    signal === 'p99'
      ? findTailMs(before.histogram)
      : // What grows by and by has begun when it was beyond all that there was.
        signal === 'memory'
        ? durationAt(before.histogram, 0.99) * 1.1
        : Math.sqrt(durationAt(before.histogram, 0.5) * durationAt(now.histogram, 0.5));
  return {
    count: ({ histogram }: { readonly histogram: ReadonlyMap<number, number> }) =>
      countOver(histogram, limitMs),
    before: countOver(before.histogram, limitMs) / before.requests,
    after: countOver(now.histogram, limitMs) / now.requests,
  };
}
