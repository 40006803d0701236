import { monotonicMs, wallMs } from '../timers.ts';

/** Saved at load: test tools replace it with a clock that stands still. */

/** How far the wall clock may be from ours (a stepped clock, a laptop that slept) before we follow it. */
const toleranceMs = 2;
let originMs = performance.timeOrigin;

/** Microseconds of the monotonic clock, from an arbitrary start. */
export function monotonicMicros(): number {
  return monotonicMs() * 1000;
}

/** Epoch microseconds at monotonic zero, as of now: one is read per recording, so that its steps never run backwards. */
export function epochAnchorMicros(): number {
  const nowMs = monotonicMs();
  const wall = wallMs();
  // Date.now() has whole milliseconds, so half of one is added as the best guess.
  if (Math.abs(originMs + nowMs - wall) > toleranceMs) originMs = wall + 0.5 - nowMs;
  return originMs * 1000;
}
