import type { OpenStep } from './open-step.ts';

/** Returns true where a frame is one of many calls that are counted together, without a step of its own. */
export function isCounted(frame: OpenStep): boolean {
  return frame.fold !== null && frame.fold.step !== frame;
}
