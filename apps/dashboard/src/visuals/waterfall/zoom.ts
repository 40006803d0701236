import type { Stretch } from '../steps/step-extent.ts';
import { instantAt, shareAt, type TimeScale } from './time-scale.ts';

/** How much one press of a key or button shows less, or more. */
const STEP = 2;

/** What to show after zooming about the middle of what is shown: `by` 2 shows half of it, 1/2 twice as much. `all` where that is everything. */
export function zoomedBy(full: TimeScale, shown: TimeScale, by: number): Stretch | undefined {
  const [left, right] = edges(full, shown);
  const middle = (left + right) / 2;
  return between(full, middle - (right - left) / 2 / by, middle + (right - left) / 2 / by);
}

/** What to show after going along by a part of what is shown; to the left where it is negative. */
export function movedBy(full: TimeScale, shown: TimeScale, part: number): Stretch | undefined {
  const [left, right] = edges(full, shown);
  const width = right - left;
  const from = Math.min(1 - width, Math.max(0, left + part * width));
  return between(full, from, from + width);
}

/** What a key shows: `+` and `-` zoom, `0` shows all, `<` and `>` go along. Undefined for keys of others. */
export function zoomByKey(
  event: {
    readonly key: string;
    readonly ctrlKey: boolean;
    readonly metaKey: boolean;
    readonly altKey: boolean;
  },
  full: TimeScale,
  shown: TimeScale,
): Stretch | 'all' | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  switch (event.key) {
    case '+':
    case '=':
      return zoomedBy(full, shown, STEP) ?? 'all';
    case '-':
      return zoomedBy(full, shown, 1 / STEP) ?? 'all';
    case '<':
      return movedBy(full, shown, -1 / STEP) ?? 'all';
    case '>':
      return movedBy(full, shown, 1 / STEP) ?? 'all';
    case '0':
      return 'all';
    default:
      return undefined;
  }
}

function edges(full: TimeScale, shown: TimeScale): [number, number] {
  return [shareAt(full, shown[0]?.fromMs ?? 0), shareAt(full, shown.at(-1)?.toMs ?? 0)];
}

function between(full: TimeScale, from: number, to: number): Stretch | undefined {
  if (from <= 0 && to >= 1) return undefined;
  return { fromMs: instantAt(full, Math.max(0, from)), toMs: instantAt(full, Math.min(1, to)) };
}
