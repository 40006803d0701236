import type { Stretch } from '../../steps/analysis/step-extent.ts';
import type { StepForest } from '../../steps/analysis/step-forest.ts';
import type { Work } from '../../work/work.ts';
import { compressedScale, evenScale, idleStretches, type TimeScale, wholeTime } from './time-scale.ts';

/** A trace's time scale with idle ranges shortened, and in proportion. */
export interface BothScales {
  readonly compressed: TimeScale;
  readonly even: TimeScale;
}

/** Computes both scales of a trace from its steps and `others`; can be paused. */
export function* bothScalesWork(
  forest: StepForest,
  durationMs: number,
  others: readonly Stretch[],
): Work<BothScales> {
  const whole = wholeTime(forest, durationMs, others);
  yield;
  const idle = idleStretches(forest, whole);
  yield;
  return { compressed: compressedScale(whole, idle), even: evenScale(whole) };
}
