import type { TraceRow } from '@throughline/contract';
import { type MouseEvent, useState } from 'react';
import { useWindowKeys } from '../../../ui/hooks/keys.ts';
import { findRowId } from '../table/use-row-events.ts';

/** A row whose values are offered as filters, and the menu's position in the window. */
export interface OpenRowMenu {
  readonly row: TraceRow;
  readonly left: number;
  readonly top: number;
}

/** Opens the menu of a row by a right-click, a long touch or the menu key, and by `f` for the row with the focus. */
export function useRowMenu(on: boolean, findRow: (id: string) => TraceRow | undefined) {
  const [opened, setOpened] = useState<OpenRowMenu>();
  const open = (target: EventTarget | null, left: number, top: number): boolean => {
    const row = findRow(findRowId(target) ?? '');
    if (row !== undefined) setOpened({ row, left, top });
    return row !== undefined;
  };
  useWindowKeys(
    on && opened === undefined,
    new Map([
      [
        'f',
        () => {
          const focused = document.activeElement;
          const { left = 0, bottom = 0 } = focused?.getBoundingClientRect() ?? {};
          open(focused, left, bottom);
        },
      ],
    ]),
  );
  return {
    opened,
    close: () => setOpened(undefined),
    onContextMenu: (event: MouseEvent) => {
      // Selected text gets the browser's own menu, so that it can be copied.
      const selectsText = (globalThis.getSelection()?.toString() ?? '') !== '';
      if (selectsText || event.shiftKey) return;
      if (open(event.target, event.clientX, event.clientY)) event.preventDefault();
    },
  };
}
