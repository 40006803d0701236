import { listMarks } from './compared-marks.ts';
import type { ComparedRow } from './compared-rows.ts';

/** A row that is shown, and the number of calls below it in the tree. */
export interface ShownRow extends ComparedRow {
  readonly below: number;
  readonly isFolded: boolean;
}

/** Lists the rows that are shown: all rows except the rows below a row whose key is in `folded`. */
export function listShownRows(rows: readonly ComparedRow[], folded: ReadonlySet<string>): ShownRow[] {
  const ends = findEnds(rows);
  const before = [0];
  for (const { count } of rows) before.push((before.at(-1) ?? 0) + count);
  const shown: ShownRow[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at];
    const end = ends[at] ?? at + 1;
    if (row === undefined) break;
    const below = (before[end] ?? 0) - (before[at + 1] ?? 0);
    const isFolded = below > 0 && folded.has(row.key);
    shown.push({ ...row, below, isFolded });
    at = isFolded ? end : at + 1;
  }
  return shown;
}

/** Removes from `folded` the keys of all rows above the row `key` in the tree, so that the row `key` is shown. */
export function unfoldAbove(
  rows: readonly ComparedRow[],
  folded: ReadonlySet<string>,
  key: string | undefined,
): ReadonlySet<string> {
  const ends = findEnds(rows);
  const index = rows.findIndex((row) => row.key === key);
  const above = rows.filter((_, at) => at < index && index < (ends[at] ?? at + 1));
  return new Set([...folded].filter((each) => !above.some((row) => row.key === each)));
}

/**
 * Returns the keys of the topmost equal branches. In an equal branch, neither the top row nor any call below it differs between the
 * requests, and there is at least one call below it. Returns an empty set if no row differs at all: then all rows are of interest.
 */
export function listEqualBranches(rows: readonly ComparedRow[]): ReadonlySet<string> {
  const ends = findEnds(rows);
  const differing = [0];
  for (const row of rows) differing.push((differing.at(-1) ?? 0) + (isEqual(row) ? 0 : 1));
  const branches = new Set<string>();
  if (differing.at(-1) === 0) return branches;
  for (let at = 0; at < rows.length; ) {
    const row = rows[at];
    const end = ends[at] ?? at + 1;
    if (row === undefined) break;
    const isBranch = end > at + 1 && differing[end] === differing[at];
    if (isBranch) branches.add(row.key);
    at = isBranch ? end : at + 1;
  }
  return branches;
}

/** True if both requests made the call, in the same order, without an error, with equal values, and about as fast. */
function isEqual(row: ComparedRow): boolean {
  const { failed, otherFailed, differences } = row.step;
  return !failed && !otherFailed && differences === 0 && listMarks(row).length === 0;
}

/** Returns for each row the index of the first later row that is not below it in the tree. */
function findEnds(rows: readonly ComparedRow[]): number[] {
  const ends: number[] = rows.map(() => rows.length);
  const open: number[] = [];
  for (const [index, { step }] of rows.entries()) {
    for (let last = open.at(-1); last !== undefined && (rows[last]?.step.depth ?? 0) >= step.depth; ) {
      ends[last] = index;
      open.pop();
      last = open.at(-1);
    }
    open.push(index);
  }
  return ends;
}

/** Action of an arrow key on a row, as in a tree: fold or unfold the row, or select another row. */
type FoldAction = 'toggle' | { readonly select: ShownRow };

/** Returns the action of a keyboard key on a row. Returns undefined if the key does nothing on this row. */
export function chooseFoldAction(
  key: string,
  row: ShownRow,
  shown: readonly ShownRow[],
): FoldAction | undefined {
  const isOpen = row.below > 0 && !row.isFolded;
  const index = shown.findIndex((each) => each.key === row.key);
  if (key === 'ArrowRight') {
    if (row.isFolded) return 'toggle';
    const next = isOpen ? shown[index + 1] : undefined;
    return next && { select: next };
  }
  if (key !== 'ArrowLeft') return undefined;
  if (isOpen) return 'toggle';
  const parent = shown.slice(0, index).findLast((each) => each.step.depth < row.step.depth);
  return parent && { select: parent };
}
