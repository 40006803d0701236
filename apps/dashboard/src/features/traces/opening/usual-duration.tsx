import { formatCount, formatCounted, formatDuration, type UsualDuration } from '@throughline/contract';
import classes from '../page/trace-dialog.module.css';
import { findExceededMedian } from './is-slow.ts';

interface UsualDurationTextProps {
  readonly durationMs: number;
  readonly usual: UsualDuration | undefined;
}

/**
 * Next to the duration of a request that took far longer than usual, shows the usual duration: "usually 12 ms". Shows nothing next to any
 * other duration.
 */
export function UsualDurationText({ durationMs, usual }: UsualDurationTextProps) {
  if (usual === undefined) return null;
  const medianMs = findExceededMedian(durationMs, usual);
  if (medianMs === undefined) return null;
  const others = `${formatCounted(usual.requests, 'other request')} to this endpoint around that time`;
  return (
    <span className={classes.dim} title={`Median of ${others}; this request: ${describeRank(usual)}`}>
      usually {formatDuration(medianMs)}
    </span>
  );
}

/**
 * Describes the share of the endpoint's requests that were faster than this request. The percentage is rounded down, so that it is not
 * exaggerated. Instead of 0 %, the text contains both numbers: "slower than 3 of 1,204".
 */
export function describeRank({ quicker, requests }: Pick<UsualDuration, 'quicker' | 'requests'>): string {
  if (quicker === 0) return 'none faster';
  const percent = Math.floor((100 * quicker) / requests);
  return percent === 0
    ? `slower than ${formatCount(quicker)} of ${formatCount(requests)}`
    : `slower than ${percent} %`;
}
