import type { TraceGroup, TraceGroups } from '@throughline/contract';

/** A group with fewer failed requests is never unusual, because so few failures can be chance. */
const MIN_ERRORS = 3;
/**
 * A group is unusual if its error rate is at least `MIN_FACTOR` times the error rate of the other requests, and at least `MIN_POINTS`
 * percentage points higher.
 */
const MIN_FACTOR = 2;
const MIN_POINTS = 5;

/** True if a group's requests fail clearly more often than the requests of all other groups together. */
export function failsUnusually(
  { count, errors, errorRate }: Pick<TraceGroup, 'count' | 'errors' | 'errorRate'>,
  all: Pick<TraceGroups, 'total' | 'errors'>,
): boolean {
  const others = all.total - count;
  if (others <= 0 || errors < MIN_ERRORS) return false;
  const usual = (100 * (all.errors - errors)) / others;
  return errorRate >= usual * MIN_FACTOR && errorRate - usual >= MIN_POINTS;
}
