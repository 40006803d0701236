import { monotonicMs, wallMs } from '../runtime/timers.ts';

/** Saved at load: test tools replace the clock with one that stands still. */

/** Largest difference between the wall clock and ours before ours is corrected (a stepped clock, a laptop that slept). */
const toleranceMs = 2;
let originMs = performance.timeOrigin;

/** Returns microseconds of the monotonic clock, from an arbitrary start. */
export function monotonicMicros(): number {
  return monotonicMs() * 1000;
}

/** Returns the epoch microseconds at monotonic zero. Read once per recording, so that its steps never run backwards. */
export function epochAnchorMicros(): number {
  const nowMs = monotonicMs();
  const wall = wallMs();
  // Date.now() has whole milliseconds. Adding half of one gives the best estimate.
  if (Math.abs(originMs + nowMs - wall) > toleranceMs) originMs = wall + 0.5 - nowMs;
  return originMs * 1000;
}
