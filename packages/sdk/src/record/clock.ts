import { monotonicMs, wallMs } from '../internal/timers.ts';

/** Saved at load, because test tools can replace the clock with a stopped one. */

/**
 * Largest tolerated difference between the wall clock and the SDK's clock. The SDK's clock is corrected beyond it, such as after a clock
 * step or a laptop's sleep.
 */
const toleranceMs = 2;
let originMs = performance.timeOrigin;

/** Returns microseconds of the monotonic clock, from an arbitrary start. */
export function monotonicMicros(): number {
  return monotonicMs() * 1000;
}

/** Returns the epoch microseconds at the monotonic clock's zero. Read once per recording, so that a recording's times never run backwards. */
export function epochAnchorMicros(): number {
  const nowMs = monotonicMs();
  const wall = wallMs();
  // Date.now() returns whole milliseconds. Adding half a millisecond gives the best estimate.
  if (Math.abs(originMs + nowMs - wall) > toleranceMs) originMs = wall + 0.5 - nowMs;
  return originMs * 1000;
}
