import { SLOW_MS, type UsualDuration } from '@throughline/contract';

/** With fewer requests to compare with, the usual duration is unknown. */
const MIN_REQUESTS = 5;
/**
 * A slow request took at least this many times the first quartile of its endpoint's durations. The median is not used: if half of an
 * endpoint's requests are slow, the median is a slow duration, too.
 */
const RATIO = 2;
/** A smaller difference is not noticeable. Milliseconds. */
const ADDED_MS = 20;

/**
 * True if a request was slow compared with the other requests of its endpoint. With fewer than `MIN_REQUESTS` other requests, a fixed limit
 * decides.
 */
export function isSlow(durationMs: number, usual: UsualDuration | undefined): boolean {
  if (usual === undefined || usual.requests < MIN_REQUESTS) return durationMs > SLOW_MS;
  return durationMs >= usual.quartile * RATIO && durationMs - usual.quartile >= ADDED_MS;
}

/** Returns the median duration of the endpoint's requests if this request took far longer, otherwise undefined. Milliseconds. */
export function findExceededMedian(durationMs: number, usual: UsualDuration | undefined): number | undefined {
  if (usual === undefined || usual.requests < MIN_REQUESTS) return undefined;
  return isSlow(durationMs, usual) && durationMs >= usual.median * RATIO ? usual.median : undefined;
}
