import { listNodes, type StepEntry } from '../steps/analysis/fold-repeats.ts';
import { computeExtent } from '../steps/analysis/step-extent.ts';
import { isShown, shareAt, type TimeScale } from './time-scale.ts';

/** A bar's ends in the width, 0 to 1. */
export interface Bar {
  readonly from: number;
  readonly to: number;
}

/** Nearer than this, a bundle's bars are drawn as one: no screen shows the space between. A share of the width. */
const MERGED_BELOW = 1 / 400;

/** The bars of a line: a step's one, a bundle's one for each of its calls, as far as they are shown and can be told apart. */
export function buildBars(entry: StepEntry, scale: TimeScale): Bar[] {
  const bars: { from: number; to: number }[] = [];
  for (const node of listNodes(entry)) {
    const extent = computeExtent(node);
    if (!isShown(scale, extent)) continue;
    const { fromMs, toMs } = extent;
    const [from, to] = [shareAt(scale, fromMs), shareAt(scale, toMs)];
    const last = bars.at(-1);
    if (last !== undefined && from - last.to < MERGED_BELOW) last.to = Math.max(last.to, to);
    else bars.push({ from, to });
  }
  return bars;
}
