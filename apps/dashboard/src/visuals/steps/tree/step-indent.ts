/** The width of a name without its indentation: arrow, icon, marks, and about twelve letters. Pixels. */
const NAME_PX = 160;
/** The number of upper levels with the widest indentation, since a request branches there. */
const WIDE_LEVELS = 6;
const MAX_WIDE_PX = 16;
const MIN_WIDE_PX = 6;
const NARROW_PX = 4;
/** The maximum indentation is at least this wide, even in a narrow column, so that a step is distinguishable from its caller. */
const MIN_ROOM_PX = 24;

/** The indentation of names in a column. */
export interface Indentation {
  /** The indentation per upper level. Pixels. */
  readonly widePx: number;
  /** The maximum indentation; deeper steps show their level as a number. Pixels. */
  readonly maxPx: number;
}

/** Plans the indentation so that names of steps as deep as `deepest` still fit a column. Depth 0 is the top level. */
export function planIndentation(columnPx: number, deepest: number): Indentation {
  const maxPx = Math.max(MIN_ROOM_PX, columnPx - NAME_PX);
  const wide = Math.min(WIDE_LEVELS, Math.max(1, deepest));
  const narrowPx = Math.max(0, deepest - WIDE_LEVELS) * NARROW_PX;
  const fitting = Math.floor((maxPx - narrowPx) / wide);
  return { widePx: Math.min(MAX_WIDE_PX, Math.max(MIN_WIDE_PX, fitting)), maxPx };
}

/** Computes the indentation of a step. `isCut` is true if the maximum indentation is smaller than the depth requires. */
export function computeIndent({ widePx, maxPx }: Indentation, depth: number) {
  const px = Math.min(depth, WIDE_LEVELS) * widePx + Math.max(0, depth - WIDE_LEVELS) * NARROW_PX;
  return { px: Math.min(px, maxPx), isCut: px > maxPx };
}
