import { listNodes, type StepEntry } from '../../steps/analysis/bundle-repeats.ts';
import { computeExtent, type Stretch } from '../../steps/analysis/step-extent.ts';
import { isShown, shareAt, type TimeScale } from '../scale/time-scale.ts';
import { listOwnStretches } from './own-stretches.ts';

/** The ends of a bar, from 0 to 1 of the width. */
export interface Bar {
  readonly from: number;
  readonly to: number;
}

/**
 * Bars are merged if the gap between them is below this fraction of the width: at 1,000 px, a gap under 2.5 px is too small to be useful.
 */
const MERGED_BELOW = 1 / 400;

/** Returns the bars of a row: one for a step, one per call for a bundle. Leaves out bars out of view, and merges bars that would touch. */
export function buildBars(entry: StepEntry, scale: TimeScale): Bar[] {
  return placeBars(listNodes(entry).map(computeExtent), scale);
}

/** Returns bars for the times in which a row's steps ran themselves, without the times in which their descendants ran. */
export function buildOwnBars(entry: StepEntry, scale: TimeScale): Bar[] {
  const own = listNodes(entry).flatMap(listOwnStretches);
  return placeBars(
    own.sort((a, b) => a.fromMs - b.fromMs),
    scale,
  );
}

/** Converts time ranges in start order to bars. Leaves out ranges out of view, and merges bars that are close together. */
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
