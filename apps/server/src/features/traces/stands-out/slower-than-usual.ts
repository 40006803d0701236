import { formatCounted, formatDuration, SLOW_MS, type UsualDuration } from '@throughline/contract';
import type { ReadRequest, Statement } from '../statements/read-request.ts';

/**
 * Minimum number of other requests, minimum ratio to the median duration, and minimum difference in ms. With fewer requests, it is unknown
 * what is usual; users do not notice a smaller difference.
 */
const LIMITS = { requests: 5, ratio: 3, addedMs: 100 } as const;
/**
 * This rule does not show why the request was slow. A rule that explains more than half of the request's time has a higher weight, so it
 * comes first.
 */
const WEIGHT = 0.5;

/** Finds out if the request took several times as long as the endpoint's median. */
export function findSlowerThanUsual({ trace, usual, steps }: ReadRequest): Statement[] {
  if (usual === null || !isSlowerThan(trace, usual)) return [];
  const ms = trace.duration_micros / 1000;
  const [busiest] = [...steps].sort((a, b) => b.selfMicros - a.selfMicros);
  const median = `the median of ${formatCounted(usual.requests, 'request')} to this endpoint is ${formatDuration(usual.median)}`;
  return [
    {
      text: `${formatTimes(ms / usual.median)} slower than usual: ${formatDuration(ms)}; ${median}`,
      stepId: busiest?.stepId ?? null,
      weight: WEIGHT,
    },
  ];
}

/**
 * True if the request took several times as long as the endpoint's median. If the median is unknown, or is of fewer than `LIMITS.requests`
 * requests, a fixed limit decides.
 */
export function isSlow({ trace, usual }: ReadRequest): boolean {
  if (usual === null || usual.requests < LIMITS.requests) return trace.duration_micros > SLOW_MS * 1000;
  return isSlowerThan(trace, usual);
}

function isSlowerThan(
  { duration_micros }: ReadRequest['trace'],
  { requests, median }: UsualDuration,
): boolean {
  const ms = duration_micros / 1000;
  return requests >= LIMITS.requests && ms >= median * LIMITS.ratio && ms - median >= LIMITS.addedMs;
}

function formatTimes(ratio: number): string {
  if (!Number.isFinite(ratio)) return 'Far';
  return `${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio).toLocaleString('en')} times`;
}
