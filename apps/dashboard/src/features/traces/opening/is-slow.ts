import { SLOW_MS, type UsualDuration } from '@throughline/contract';

/** Fewer other requests do not say what is usual. */
const MIN_REQUESTS = 5;
/**
 * A slow request took so many times as long as the quicker quarter of its endpoint's requests. Not as the median: where one request in two does
 * ten times the work, that one would be called usual.
 */
const RATIO = 2;
/** A smaller difference is not felt. Milliseconds. */
const ADDED_MS = 20;

/** Says whether a request took long by its endpoint's other requests, or by the fixed limit where there are too few of them. */
export function isSlow(durationMs: number, usual: UsualDuration | undefined): boolean {
  if (usual === undefined || usual.requests < MIN_REQUESTS) return durationMs > SLOW_MS;
  return durationMs >= usual.quartile * RATIO && durationMs - usual.quartile >= ADDED_MS;
}

/** Finds the endpoint's usual duration for a request that took far longer; undefined for any other. Milliseconds. */
export function findExceededMedian(durationMs: number, usual: UsualDuration | undefined): number | undefined {
  if (usual === undefined || usual.requests < MIN_REQUESTS) return undefined;
  return isSlow(durationMs, usual) && durationMs >= usual.median * RATIO ? usual.median : undefined;
}
