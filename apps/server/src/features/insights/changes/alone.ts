import { findDurationAt, subtract } from '../distributions.ts';
import type { Change } from './find-changes.ts';
import { type HourSeries, sumBaseline, sumHours, type Total } from './hour-series.ts';

/**
 * Limits within which the requests outside the changed part, such as one country, count as unchanged: their median duration is at most
 * `ratio` times the earlier median. If the error rate changed: their share of failed requests is at most `times` the earlier share, plus
 * `added`.
 */
const REST = { ratio: 1.15, times: 1.5, added: 0.01 } as const;

/** True if the endpoint has requests outside the changed part, and these requests did not change. */
export function isAlone({ signal, series, window, since }: Change, whole: HourSeries): boolean {
  const now = leaveOut(sumHours(whole, window), sumHours(series, window));
  const before = leaveOut(sumBaseline(whole, window, since), sumBaseline(series, window, since));
  if (now.requests === 0 || before.requests === 0) return false;
  if (signal === 'errorRate') {
    return now.errors / now.requests <= (before.errors / before.requests) * REST.times + REST.added;
  }
  return findDurationAt(now.histogram, 0.5) <= findDurationAt(before.histogram, 0.5) * REST.ratio;
}

function leaveOut(whole: Total, part: Total): Total {
  return {
    requests: whole.requests - part.requests,
    errors: whole.errors - part.errors,
    histogram: subtract(whole.histogram, part.histogram),
  };
}
