/** The selected traces of a list: a set of ids, or every trace that matches the filters, loaded or not. */
export type RowSelection = ReadonlySet<string> | 'all';

export const EMPTY_SELECTION: RowSelection = new Set();

export function isSelected(selection: RowSelection, id: string): boolean {
  return selection === 'all' || selection.has(id);
}

/** The number of selected traces; `total` is the number of traces that match the filters. */
export function countSelected(selection: RowSelection, total: number): number {
  return selection === 'all' ? total : selection.size;
}

/** Toggles one row. If `selection` is `all`, deselecting a row leaves the other listed rows selected. */
export function toggleRow(selection: RowSelection, id: string, listed: readonly string[]): RowSelection {
  return setAll(selection, [id], listed);
}

/** Toggles the row `to` and gives every row between `from` and `to`, both included, the same state. */
export function toggleRange(
  selection: RowSelection,
  { from, to }: { readonly from: string; readonly to: string },
  listed: readonly string[],
): RowSelection {
  const [a, b] = [listed.indexOf(from), listed.indexOf(to)];
  // If the row where the range began has left the list, only `to` is toggled.
  if (a < 0 || b < 0) return toggleRow(selection, to, listed);
  const range = listed.slice(Math.min(a, b), Math.max(a, b) + 1);
  return setAll(selection, [to, ...range], listed);
}

/** Selects all listed rows, or clears the selection when all of them are selected. */
export function toggleListed(selection: RowSelection, listed: readonly string[]): RowSelection {
  return listed.every((id) => isSelected(selection, id)) ? EMPTY_SELECTION : new Set(listed);
}

/** Toggles the first id and gives the other ids the same state. */
function setAll(
  selection: RowSelection,
  ids: readonly [string, ...string[]],
  listed: readonly string[],
): RowSelection {
  const next = new Set(selection === 'all' ? listed : selection);
  const on = !isSelected(selection, ids[0]);
  for (const id of ids) {
    if (on) next.add(id);
    else next.delete(id);
  }
  return next;
}
