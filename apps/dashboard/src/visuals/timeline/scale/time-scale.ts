import { computeExtent, type Stretch } from '../../steps/analysis/step-extent.ts';
import type { StepForest } from '../../steps/analysis/step-forest.ts';

/** A time range and its position in the width, from 0 to 1. */
export interface ScaledStretch extends Stretch {
  readonly from: number;
  readonly to: number;
  /** True if no step ran, or only callers that waited: the range is drawn narrower than in proportion to its duration. */
  readonly idle: boolean;
}

/** Time ranges laid out over the width of the timeline. */
export type TimeScale = readonly ScaledStretch[];

/** An idle range of at least this share of the entire duration is compressed to `IDLE_WIDTH`, a share of the width. */
const IDLE_FROM_SHARE = 0.1;
const IDLE_WIDTH = 0.04;
/** Instants have microsecond resolution, so no zoom shows less. */
export const MIN_SHOWN_MS = 0.001;

/**
 * Returns the time range that contains the request, all its steps, and the requests of other services. A step can be outside its request,
 * because clocks differ or because it ran later.
 */
export function findWholeTime(
  forest: StepForest,
  durationMs: number,
  others: readonly Stretch[] = [],
): Stretch {
  let fromMs = 0;
  let toMs = durationMs;
  const include = (extent: Stretch) => {
    fromMs = Math.min(fromMs, extent.fromMs);
    toMs = Math.max(toMs, extent.toMs);
  };
  for (const node of forest.all) include(computeExtent(node));
  for (const other of others) include(other);
  return { fromMs, toMs };
}

/** Returns the ranges within `whole`, in order, in which no step without children was running. */
export function findIdleStretches(forest: StepForest, whole: Stretch): Stretch[] {
  const busy = forest.all.filter((node) => node.children.length === 0).map(computeExtent);
  busy.sort((a, b) => a.fromMs - b.fromMs);
  const idle: Stretch[] = [];
  let reached = whole.fromMs;
  for (const { fromMs, toMs } of busy) {
    if (fromMs > reached) idle.push({ fromMs: reached, toMs: fromMs });
    reached = Math.max(reached, toMs);
  }
  if (whole.toMs > reached) idle.push({ fromMs: reached, toMs: whole.toMs });
  return idle;
}

/** Returns a scale in which long idle ranges are shortened, so that the time in which steps ran gets most of the width. */
export function buildCompressedScale(whole: Stretch, idle: readonly Stretch[]): TimeScale {
  const totalMs = whole.toMs - whole.fromMs;
  const long = idle.filter(({ fromMs, toMs }) => toMs - fromMs >= totalMs * IDLE_FROM_SHARE);
  const longMs = long.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  // If the long idle ranges fill the entire duration, the scale stays proportional.
  if (long.length === 0 || totalMs - longMs <= totalMs * 1e-9) return buildEvenScale(whole);
  const perMs = (1 - long.length * IDLE_WIDTH) / (totalMs - longMs);
  const scale: ScaledStretch[] = [];
  let at = { ms: whole.fromMs, share: 0 };
  const add = (toMs: number, width: number, isIdle: boolean) => {
    if (toMs <= at.ms) return;
    const share = at.share + width;
    scale.push({ fromMs: at.ms, toMs, from: at.share, to: share, idle: isIdle });
    at = { ms: toMs, share };
  };
  for (const { fromMs, toMs } of long) {
    add(fromMs, (fromMs - at.ms) * perMs, false);
    add(toMs, IDLE_WIDTH, true);
  }
  add(whole.toMs, (whole.toMs - at.ms) * perMs, false);
  return scale;
}

/** Returns a proportional scale. */
export function buildEvenScale({ fromMs, toMs }: Stretch): TimeScale {
  return [{ fromMs, toMs, from: 0, to: 1, idle: false }];
}

/** Returns the position of an instant in the width, from 0 to 1. An instant outside the scale is at the nearer edge. */
export function shareAt(scale: TimeScale, ms: number): number {
  for (const { fromMs, toMs, from, to } of scale) {
    if (ms < fromMs) return clamp(from);
    if (ms <= toMs)
      return clamp(toMs === fromMs ? from : from + ((ms - fromMs) / (toMs - fromMs)) * (to - from));
  }
  return 1;
}

/** Returns the instant at a position in the width, from 0 to 1: the inverse of {@link shareAt}. Milliseconds. */
export function findInstantAt(scale: TimeScale, share: number): number {
  for (const { fromMs, toMs, from, to } of scale) {
    if (share <= to)
      return to === from ? fromMs : fromMs + ((clamp(share) - from) / (to - from)) * (toMs - fromMs);
  }
  return scale.at(-1)?.toMs ?? 0;
}

/**
 * Returns the part of a scale between two instants, over the whole width. Returns the scale unchanged if the part is shorter than a
 * microsecond.
 */
export function zoomScale(scale: TimeScale, view: Stretch): TimeScale {
  const [left, right] = [shareAt(scale, view.fromMs), shareAt(scale, view.toMs)];
  if (view.toMs - view.fromMs < MIN_SHOWN_MS || right <= left) return scale;
  return scale
    .filter(({ from, to }) => to > left && from < right)
    .map(({ idle, ...stretch }) => {
      const [from, to] = [Math.max(left, stretch.from), Math.min(right, stretch.to)];
      return {
        fromMs: Math.max(stretch.fromMs, view.fromMs),
        toMs: Math.min(stretch.toMs, view.toMs),
        from: (from - left) / (right - left),
        to: (to - left) / (right - left),
        idle,
      };
    });
}

/** True if a range overlaps the shown part of a scale. */
export function isShown(scale: TimeScale, { fromMs, toMs }: Stretch): boolean {
  return toMs >= (scale[0]?.fromMs ?? 0) && fromMs <= (scale.at(-1)?.toMs ?? 0);
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
