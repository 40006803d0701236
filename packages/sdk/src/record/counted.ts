import type { ActiveStep } from './active-step.ts';

/** Returns true where a frame is one of many calls that are counted together, without a step of its own. */
export function isCounted(frame: ActiveStep): boolean {
  return frame.aggregate !== null && frame.aggregate.step !== frame;
}
