import { createContext, useContext, useMemo, useRef, useState } from 'react';
import { useLatest } from '../live/use-latest.ts';
import {
  countSelected,
  EMPTY_SELECTION,
  isSelected,
  type RowSelection,
  toggleListed,
  toggleRange,
  toggleRow,
} from './row-selection.ts';

/** The selection of a list, and the functions with which the list's checkboxes change the selection. */
interface SelectionState {
  readonly selection: RowSelection;
  /** The number of listed rows that are selected: none, some or all. */
  readonly listed: 'none' | 'some' | 'all';
  /** Toggles the row `id`. If `range` is true, all rows between this row and the previously toggled row get the same state. */
  readonly toggle: (id: string, range: boolean) => void;
  readonly toggleListed: () => void;
}

export const SelectionContext = createContext<SelectionState>({
  selection: EMPTY_SELECTION,
  listed: 'none',
  toggle: () => undefined,
  toggleListed: () => undefined,
});

export function useSelection(): SelectionState {
  return useContext(SelectionContext);
}

/** The selected rows of a list. `list` identifies the list: a selection made in another list does not count. */
export function useRowSelection(list: string, ids: readonly string[], total: number) {
  const [stored, keep] = useState<{ readonly list: string; readonly selection: RowSelection }>();
  const selection = stored?.list === list ? stored.selection : EMPTY_SELECTION;
  const last = useRef<string>(undefined);
  const set = (next: RowSelection) => keep({ list, selection: next });
  const toggle = useLatest((id: string, range: boolean) => {
    const from = range ? last.current : undefined;
    last.current = id;
    set(from === undefined ? toggleRow(selection, id, ids) : toggleRange(selection, { from, to: id }, ids));
  });
  const toggleAll = useLatest(() => set(toggleListed(selection, ids)));
  const on = ids.filter((id) => isSelected(selection, id)).length;
  const listed = on === 0 ? 'none' : on === ids.length ? 'all' : 'some';
  const state = useMemo(
    () => ({ selection, listed, toggle, toggleListed: toggleAll }) as const,
    [selection, listed, toggle, toggleAll],
  );
  return {
    state,
    count: countSelected(selection, total),
    selectAll: () => set('all'),
    clear: () => set(EMPTY_SELECTION),
  };
}
