import type { StepType } from '@throughline/contract';
import { computeExtent } from '../../steps/analysis/step-extent.ts';
import type { StepForest } from '../../steps/analysis/step-forest.ts';
import { each, runWithoutPauses, type Work } from '../../work/work.ts';
import { shareAt, type TimeScale } from '../scale/time-scale.ts';

/** A rectangle in pixels. */
export interface OverviewBar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly type: StepType;
  readonly failed: boolean;
}

/**
 * Returns the bars of all steps for an area of the given size in pixels. Of the bars that begin at the same pixel and have the same step
 * type, only the widest is drawn; the number of bars is therefore limited, however many steps there are. Failed steps count as a type of
 * their own, and come last, so that they are drawn on top. A step with a handled error counts by its step type.
 */
export function buildOverviewBars(
  forest: StepForest,
  scale: TimeScale,
  widthPx: number,
  heightPx: number,
): OverviewBar[] {
  return runWithoutPauses(buildOverviewBarsWork(forest, scale, widthPx, heightPx));
}

/** Like {@link buildOverviewBars}, but can be paused. */
export function* buildOverviewBarsWork(
  forest: StepForest,
  scale: TimeScale,
  widthPx: number,
  heightPx: number,
): Work<OverviewBar[]> {
  if (widthPx <= 0) return [];
  const height = Math.max(1, Math.min(6, heightPx / Math.max(1, forest.all.length)));
  const widest = new Map<string, OverviewBar>();
  yield* each(forest.all, (node, index) => {
    const { fromMs, toMs } = computeExtent(node);
    const x = Math.min(widthPx - 1, Math.floor(shareAt(scale, fromMs) * widthPx));
    const y = Math.min(heightPx - height, Math.floor((index / forest.all.length) * heightPx));
    const width = Math.max(1, Math.ceil(shareAt(scale, toMs) * widthPx) - x);
    const failed = node.outcome === 'failed';
    const place = `${x} ${y} ${failed ? '!' : node.step.stepType}`;
    if ((widest.get(place)?.width ?? 0) < width) {
      widest.set(place, { x, y, width, height, type: node.step.stepType, failed });
    }
  });
  return [...widest.values()].sort((a, b) => Number(a.failed) - Number(b.failed));
}
