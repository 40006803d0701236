import { buildEndpointKey } from '../endpoint-key.ts';
import type { Change } from './find-changes.ts';
import { type HourSeries, listBlocks, sumBaseline, sumHours } from './hour-series.ts';
import { findMiddle } from './signals.ts';

/**
 * The number of requests outside a part is as usual if it is at least `low` times the lowest and at most `high` times the highest number of
 * earlier days, and differs by at most the factor `times` from the median of the earlier days: a single quiet day must not make a drop look
 * usual. This median must be at least `least`.
 */
const USUAL = { low: 0.75, high: 1.25, times: 2, least: 12 } as const;

/**
 * Names the part of an endpoint's requests that alone explains a change in the endpoint's traffic, such as the requests of one user:
 * without this part, the traffic is as usual. Of several such parts, the one with the fewest requests is named. Returns the change as it is
 * if no part explains it.
 */
export function explainTraffic(change: Change, all: readonly HourSeries[]): Change {
  const { signal, series, window, since } = change;
  if (signal !== 'requests' || series.part !== null) return change;
  const key = buildEndpointKey(series);
  const isSpike = change.after > change.before;
  const wholeNow = sumHours(series, window).requests;
  const wholeBefore = listBlocks(series, window, since).map(({ requests }) => requests);
  const [smallest] = all
    .filter(({ part, signals, ...place }) => isPlainPart(part, signals) && buildEndpointKey(place) === key)
    .flatMap((part) => {
      const after = sumHours(part, window).requests;
      const blocks = listBlocks(part, window, since).map(({ requests }) => requests);
      const restBefore = wholeBefore.map((requests, at) => requests - (blocks[at] ?? 0));
      if (!isUsual(wholeNow - after, restBefore)) return [];
      return [{ part, before: findMiddle(blocks), after }];
    })
    .sort((a, b) => (isSpike ? a.after - b.after : a.before - b.before));
  if (smallest === undefined) return change;
  const { part, before, after } = smallest;
  return {
    ...change,
    series: part,
    before,
    after,
    requestsBefore: sumBaseline(part, window, since).requests,
    requestsAfter: after,
  };
}

/**
 * True for the requests of one country, instance, attribute or user. Errors and dependencies are left out, since they are effects or causes
 * of a change.
 */
function isPlainPart(part: HourSeries['part'], signals: HourSeries['signals']): boolean {
  return part !== null && part.name !== 'error' && part.name !== 'dependency' && signals.includes('p50');
}

function isUsual(now: number, before: readonly number[]): boolean {
  const middle = findMiddle(before);
  return (
    middle >= USUAL.least &&
    now >= middle / USUAL.times &&
    now <= middle * USUAL.times &&
    now >= Math.min(...before) * USUAL.low &&
    now <= Math.max(...before) * USUAL.high
  );
}
