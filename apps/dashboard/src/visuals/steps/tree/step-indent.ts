/** A name's width beside its indentation: arrow, icon, marks, and a dozen letters. Pixels. */
const NAME_PX = 160;
/** The levels that are told apart most: the upper ones, where a request branches. */
const WIDE_LEVELS = 6;
const MAX_WIDE_PX = 16;
const MIN_WIDE_PX = 6;
const NARROW_PX = 4;
/** A column always indents at least this much, so that a step is told from its caller. */
const MIN_ROOM_PX = 24;

/** The indentation of names in a column. */
export interface Indentation {
  /** The width of each upper level. Pixels. */
  readonly widePx: number;
  /** Deeper steps are not indented further, and a figure says their level. Pixels. */
  readonly maxPx: number;
}

/** Plans the indentation with which the names of steps as deep as `deepest` keep room in a column. The top has depth 0. */
export function planIndentation(columnPx: number, deepest: number): Indentation {
  const maxPx = Math.max(MIN_ROOM_PX, columnPx - NAME_PX);
  const wide = Math.min(WIDE_LEVELS, Math.max(1, deepest));
  const narrowPx = Math.max(0, deepest - WIDE_LEVELS) * NARROW_PX;
  const fitting = Math.floor((maxPx - narrowPx) / wide);
  return { widePx: Math.min(MAX_WIDE_PX, Math.max(MIN_WIDE_PX, fitting)), maxPx };
}

/** Computes the indentation of a step, and whether it ends before its depth. */
export function computeIndent({ widePx, maxPx }: Indentation, depth: number) {
  const px = Math.min(depth, WIDE_LEVELS) * widePx + Math.max(0, depth - WIDE_LEVELS) * NARROW_PX;
  return { px: Math.min(px, maxPx), isCut: px > maxPx };
}
