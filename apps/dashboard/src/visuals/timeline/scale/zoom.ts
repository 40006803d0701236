import type { Stretch } from '../../steps/analysis/step-extent.ts';
import { findInstantAt, isShown, shareAt, type TimeScale } from './time-scale.ts';

/** The zoom factor of one press of a key or button. */
const STEP = 2;

/**
 * Computes the view after zooming; a `by` of 2 shows half of the current range, 1/2 shows twice as much. The middle of the view stays in
 * the middle. If `about` does not contain the middle, the nearest point of `about` becomes the middle. Returns undefined if the view is the
 * entire duration.
 */
export function zoomByFactor(
  full: TimeScale,
  shown: TimeScale,
  by: number,
  about: Stretch | undefined,
): Stretch | undefined {
  const [left, right] = findEdges(full, shown);
  const middle = findNearest(full, about, (left + right) / 2);
  return centreRange(full, middle, (right - left) / by);
}

/**
 * Computes the view after zooming at a pointer position from 0 to 1: the instant under the pointer keeps its position. Undefined if
 * the view is the entire duration.
 */
export function zoomAt(full: TimeScale, shown: TimeScale, by: number, place: number): Stretch | undefined {
  const [left, right] = findEdges(full, shown);
  const width = (right - left) / by;
  if (width >= 1) return undefined;
  const from = Math.min(1 - width, Math.max(0, left + place * (right - left) - place * width));
  return clampRange(full, from, from + width);
}

/**
 * Computes a view as wide as `shown` whose middle is the point of `wanted` nearest to the middle of `shown`. Undefined if a part of
 * `wanted` is already in view.
 */
export function computeView(full: TimeScale, shown: TimeScale, wanted: Stretch): Stretch | undefined {
  if (isShown(shown, wanted)) return undefined;
  const [left, right] = findEdges(full, shown);
  return centreRange(full, findNearest(full, wanted, (left + right) / 2), right - left);
}

function findNearest(full: TimeScale, stretch: Stretch | undefined, place: number): number {
  if (stretch === undefined) return place;
  return Math.min(shareAt(full, stretch.toMs), Math.max(shareAt(full, stretch.fromMs), place));
}

/** Returns a range of the given width centred on a position and moved, if necessary, to be inside `full`. */
function centreRange(full: TimeScale, middle: number, width: number): Stretch | undefined {
  if (width >= 1) return undefined;
  const from = Math.min(1 - width, Math.max(0, middle - width / 2));
  return clampRange(full, from, from + width);
}

/** Returns the shown range moved by a fraction of its length; negative moves left. */
export function moveBy(full: TimeScale, shown: TimeScale, part: number): Stretch | undefined {
  const [left, right] = findEdges(full, shown);
  const width = right - left;
  const from = Math.min(1 - width, Math.max(0, left + part * width));
  return clampRange(full, from, from + width);
}

/**
 * Computes the view after a key press: `+` and `-` zoom like {@link zoomByFactor}, `0` shows the entire duration, `<` and `>` move the view.
 * Undefined for other keys.
 */
export function zoomByKey(
  event: {
    readonly key: string;
    readonly ctrlKey: boolean;
    readonly metaKey: boolean;
    readonly altKey: boolean;
  },
  full: TimeScale,
  shown: TimeScale,
  about: Stretch | undefined,
): Stretch | 'all' | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  switch (event.key) {
    case '+':
    case '=':
      return zoomByFactor(full, shown, STEP, about) ?? 'all';
    case '-':
      return zoomByFactor(full, shown, 1 / STEP, about) ?? 'all';
    case '<':
      return moveBy(full, shown, -1 / STEP) ?? 'all';
    case '>':
      return moveBy(full, shown, 1 / STEP) ?? 'all';
    case '0':
      return 'all';
    default:
      return undefined;
  }
}

function findEdges(full: TimeScale, shown: TimeScale): [number, number] {
  return [shareAt(full, shown[0]?.fromMs ?? 0), shareAt(full, shown.at(-1)?.toMs ?? 0)];
}

function clampRange(full: TimeScale, from: number, to: number): Stretch | undefined {
  if (from <= 0 && to >= 1) return undefined;
  return { fromMs: findInstantAt(full, Math.max(0, from)), toMs: findInstantAt(full, Math.min(1, to)) };
}

/** The number of wheel pixels that halve or double the shown time. */
const WHEEL_PX = 200;
const PX_PER_LINE = 16;
const LINE_MODE = 1;

/**
 * Computes the view after the wheel turned with Ctrl over an axis with these bounds; `'all'` is the entire duration. Undefined for turns
 * without Ctrl, which scroll.
 */
export function zoomByWheel(
  event: Pick<WheelEvent, 'ctrlKey' | 'deltaY' | 'deltaMode' | 'clientX'>,
  full: TimeScale,
  shown: TimeScale,
  axis: { readonly left: number; readonly width: number },
): Stretch | 'all' | undefined {
  if (!event.ctrlKey) return undefined;
  const turnedPx = event.deltaY * (event.deltaMode === LINE_MODE ? PX_PER_LINE : 1);
  const place = axis.width > 0 ? (event.clientX - axis.left) / axis.width : 0;
  const by = STEP ** (-turnedPx / WHEEL_PX);
  return zoomAt(full, shown, by, Math.min(1, Math.max(0, place))) ?? 'all';
}
