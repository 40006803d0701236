import type { Finding } from '@throughline/contract';
import { formatClock, formatDate, formatStart } from '../../../ui/time/relative-time.ts';

const MINUTE_MS = 60_000;
/** If half of an interval is at most this long, the interval is shown as "since …, ± …". A longer interval is shown by its two ends. */
const MAX_SPREAD_MS = 30 * MINUTE_MS;

/** Formats the interval in which a problem began, such as "since 14:20, ± 10 min" or "between 2026-01-31 14:10 and 16:30". */
export function formatStartsWithin(
  { from, to }: NonNullable<Finding['startsWithin']>,
  nowMs: number = Date.now(),
): string {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const spreadMs = (toMs - fromMs) / 2;
  if (spreadMs <= MAX_SPREAD_MS) {
    const spread = Math.max(1, Math.round(spreadMs / MINUTE_MS));
    return `since ${formatStart(fromMs + spreadMs, nowMs)}, ± ${spread} min`;
  }
  const isOneDay = formatDate(fromMs) === formatDate(toMs);
  const end = isOneDay ? formatClock(toMs).slice(0, 5) : formatStart(toMs, nowMs);
  return `between ${formatStart(fromMs, nowMs)} and ${end}`;
}
