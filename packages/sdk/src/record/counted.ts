import type { OpenStep } from './open-step.ts';

/** Whether a frame is one of many that are counted together, not a step. */
export function isCounted(frame: OpenStep): boolean {
  return frame.fold !== null && frame.fold.step !== frame;
}
