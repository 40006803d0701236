import { formatCounted, formatDuration, type UsualDuration } from '@throughline/contract';
import classes from '../page/trace-dialog.module.css';
import { findExceededMedian } from './is-slow.ts';

interface UsualDurationTextProps {
  readonly durationMs: number;
  readonly usual: UsualDuration | undefined;
}

/** Shows the endpoint's usual duration beside one that is far longer. */
export function UsualDurationText({ durationMs, usual }: UsualDurationTextProps) {
  const medianMs = findExceededMedian(durationMs, usual);
  if (usual === undefined || medianMs === undefined) return null;
  return (
    <span
      className={classes.dim}
      title={`Median of ${formatCounted(usual.requests, 'other request')} to this endpoint around that time`}
    >
      usually {formatDuration(medianMs)}
    </span>
  );
}
