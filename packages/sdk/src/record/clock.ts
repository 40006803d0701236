import { monotonicMs, wallMs } from '../internal/timers.ts';

/**
 * Maximum tolerated difference between the wall clock and the SDK's clock, in ms. If it is exceeded, such as after a clock step or a
 * laptop's sleep, the SDK's clock is corrected.
 */
const toleranceMs = 2;
let originMs = performance.timeOrigin;

/** Returns microseconds of the monotonic clock, from an arbitrary start. */
export function readMonotonicMicros(): number {
  return monotonicMs() * 1000;
}

/**
 * Returns the epoch time at which the monotonic clock was zero, in µs. Read once per recording, so that the times of a recording never run
 * backwards.
 */
export function readEpochAnchorMicros(): number {
  const nowMs = monotonicMs();
  const wall = wallMs();
  // Date.now() returns whole milliseconds. Adding half a millisecond gives the best estimate.
  if (Math.abs(originMs + nowMs - wall) > toleranceMs) originMs = wall + 0.5 - nowMs;
  return originMs * 1000;
}
