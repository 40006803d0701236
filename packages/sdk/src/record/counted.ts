import type { LinkedStep } from './links.ts';

/** True if a frame is a counted call, which has no step of its own. */
export function isCounted(frame: LinkedStep): boolean {
  return frame.aggregate !== null && frame.aggregate.step !== frame;
}
