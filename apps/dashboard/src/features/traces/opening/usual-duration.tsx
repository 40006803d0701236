import { formatCount, formatCounted, formatDuration, type UsualDuration } from '@throughline/contract';
import classes from '../page/trace-dialog.module.css';
import { findExceededMedian } from './is-slow.ts';

interface UsualDurationTextProps {
  readonly durationMs: number;
  readonly usual: UsualDuration | undefined;
}

/** With fewer requests, a percentage is not meaningful. */
const MIN_RANKED = 20;

/**
 * Shows the endpoint's usual duration next to a far longer duration; next to any other duration, its rank among the endpoint's requests, if
 * enough of them are known.
 */
export function UsualDurationText({ durationMs, usual }: UsualDurationTextProps) {
  if (usual === undefined) return null;
  const medianMs = findExceededMedian(durationMs, usual);
  if (medianMs === undefined && usual.requests < MIN_RANKED) return null;
  const others = `${formatCounted(usual.requests, 'other request')} to this endpoint around that time`;
  const share = describeRank(usual);
  return medianMs === undefined ? (
    <span className={classes.dim} title={`Of ${others}`}>
      {share}
    </span>
  ) : (
    <span className={classes.dim} title={`Median of ${others}; this request: ${share}`}>
      usually {formatDuration(medianMs)}
    </span>
  );
}

/**
 * Describes the share of the endpoint's requests that were faster than this request. The percentage is rounded down, so that it never
 * claims more than is true; instead of 0 %, the text contains both counts.
 */
export function describeRank({ quicker, requests }: Pick<UsualDuration, 'quicker' | 'requests'>): string {
  if (quicker === 0) return 'none faster';
  const percent = Math.floor((100 * quicker) / requests);
  return percent === 0
    ? `slower than ${formatCount(quicker)} of ${formatCount(requests)}`
    : `slower than ${percent} %`;
}
