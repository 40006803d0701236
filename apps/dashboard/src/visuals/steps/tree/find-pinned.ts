import type { StepRow } from './step-rows.ts';

/** The maximum number of ancestor rows that stay in view while the list scrolls. */
const MAX_PINNED = 5;
/** A list pins at most this share of its visible rows. */
const PINNED_SHARE = 0.3;

/** Returns the number of rows that a list with this many visible rows may pin. */
export function limitPinned(visibleRows: number): number {
  return Math.min(MAX_PINNED, Math.floor(visibleRows * PINNED_SHARE));
}

/**
 * Finds the rows to pin above a list scrolled to `first`: the nearest ancestors, outermost first, of the first row below the pinned rows.
 * Reads one row per ancestor, never all rows.
 */
export function findPinned(rows: readonly StepRow[], first: number, most: number): number[] {
  if (first <= 0 || most <= 0) return [];
  for (let covered = 0; covered <= most; covered += 1) {
    const row = rows[first + covered];
    if (row === undefined) return [];
    if (Math.min(most, row.level - 1) <= covered) return listAncestors(rows, first + covered).slice(-most);
  }
  return [];
}

function listAncestors(rows: readonly StepRow[], index: number): number[] {
  const ancestors: number[] = [];
  for (let above = rows[index]?.above ?? -1; above >= 0; above = rows[above]?.above ?? -1)
    ancestors.push(above);
  return ancestors.reverse();
}
