import type { Stretch } from '../../steps/analysis/step-extent.ts';
import type { StepForest } from '../../steps/analysis/step-forest.ts';
import type { Work } from '../../work/work.ts';
import {
  buildCompressedScale,
  buildEvenScale,
  findIdleStretches,
  findWholeTime,
  type TimeScale,
} from './time-scale.ts';

/** Both time scales of a trace: one with shortened idle ranges, and one proportional to time. */
export interface BothScales {
  readonly compressed: TimeScale;
  readonly even: TimeScale;
}

/** Computes both scales of a trace from its steps and from the requests of other services (`others`); can be paused. */
export function* buildBothScalesWork(
  forest: StepForest,
  durationMs: number,
  others: readonly Stretch[],
): Work<BothScales> {
  const whole = findWholeTime(forest, durationMs, others);
  yield;
  const idle = findIdleStretches(forest, whole);
  yield;
  return { compressed: buildCompressedScale(whole, idle), even: buildEvenScale(whole) };
}
