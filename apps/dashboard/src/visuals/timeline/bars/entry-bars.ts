import { listNodes, type StepEntry } from '../../steps/analysis/fold-repeats.ts';
import { computeExtent, type Stretch } from '../../steps/analysis/step-extent.ts';
import { isShown, shareAt, type TimeScale } from '../scale/time-scale.ts';
import { listOwnStretches } from './own-stretches.ts';

/** A bar's ends in the width, 0 to 1. */
export interface Bar {
  readonly from: number;
  readonly to: number;
}

/** Nearer than this, bars are drawn as one: no screen shows the space between. A share of the width. */
const MERGED_BELOW = 1 / 400;

/** The bars of a line: a step's one, a bundle's one for each of its calls, as far as they are shown and can be told apart. */
export function buildBars(entry: StepEntry, scale: TimeScale): Bar[] {
  return placeBars(listNodes(entry).map(computeExtent), scale);
}

/** The parts of a line's bars in which its steps ran themselves, and no step below them. */
export function buildOwnBars(entry: StepEntry, scale: TimeScale): Bar[] {
  const own = listNodes(entry).flatMap(listOwnStretches);
  return placeBars(
    own.sort((a, b) => a.fromMs - b.fromMs),
    scale,
  );
}

/** Places stretches, which are in start order, as bars. */
export function placeBars(stretches: readonly Stretch[], scale: TimeScale): Bar[] {
  const bars: { from: number; to: number }[] = [];
  for (const stretch of stretches) {
    if (!isShown(scale, stretch)) continue;
    const [from, to] = [shareAt(scale, stretch.fromMs), shareAt(scale, stretch.toMs)];
    const last = bars.at(-1);
    if (last !== undefined && from - last.to < MERGED_BELOW) last.to = Math.max(last.to, to);
    else bars.push({ from, to });
  }
  return bars;
}
