/** A name's width beside its indentation: arrow, icon, marks, and a dozen letters. Pixels. */
const NAME_PX = 176;
const WIDEST_PX = 14;
const NARROWEST_PX = 6;
/** So many levels are told apart however narrow the column is. */
const MIN_LEVELS = 4;

/** The indentation of names by their level. */
export interface StepIndent {
  /** The indentation of each level. Pixels. */
  readonly px: number;
  /** From here on, deeper steps stand below one another, and a figure says their level. */
  readonly mostLevels: number;
}

/** The indentation with which the names of steps so deep keep room in a column. */
export function indentFor(columnPx: number, deepest: number): StepIndent {
  const roomPx = Math.max(0, columnPx - NAME_PX);
  const px = Math.min(WIDEST_PX, Math.max(NARROWEST_PX, Math.floor(roomPx / Math.max(1, deepest))));
  return { px, mostLevels: Math.max(MIN_LEVELS, Math.floor(roomPx / px)) };
}
