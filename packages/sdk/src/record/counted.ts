import type { ActiveStep } from './active-step.ts';

/** True if a frame is a counted call, which has no step of its own. */
export function isCounted(frame: ActiveStep): boolean {
  return frame.aggregate !== null && frame.aggregate.step !== frame;
}
