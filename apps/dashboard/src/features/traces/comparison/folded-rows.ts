import type { ComparedRow } from './compared-rows.ts';

/** A row that is shown, and the number of calls below it in the tree. */
export interface ShownRow extends ComparedRow {
  readonly below: number;
  readonly isFolded: boolean;
}

/** Lists the rows that are shown: all but those below a row whose key is in `folded`. */
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

/** Returns for each row the index after its last row below. */
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

/** Returns the action of a key on a row; undefined if the key does nothing there. */
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
