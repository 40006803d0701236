import { useEffect, useRef, useState } from 'react';
import { useWindowKeys } from '../../../ui/hooks/keys.ts';
import { findRowId } from './use-row-events.ts';

interface ListKeys {
  readonly on: boolean;
  readonly count: number;
  readonly getKey: (index: number) => string | undefined;
  readonly scrollTo: (index: number) => void;
  /** Called when a key moves the focus to another row, with the row's key. */
  readonly onMove: (key: string) => void;
}

/**
 * Handles the rows' keyboard shortcuts unless the focus is in a field: `j` and `k` move the focus from row to row. Returns the index of the
 * row that the Tab key reaches. Tracks that row by its key, since new rows change its index.
 */
export function useListKeys({ on, count, getKey, scrollTo, onMove }: ListKeys): number {
  const [activeKey, setActiveKey] = useState<string>();
  const wanted = useRef<string>(undefined);
  const index = findIndex(activeKey, count, getKey);

  const move = (by: 1 | -1) => {
    if (count === 0) return;
    const started = findFocusedKey();
    const from = started === undefined ? -1 : findIndex(started, count, getKey);
    const next = Math.max(0, Math.min(count - 1, from + by));
    const key = getKey(next);
    setActiveKey(key);
    wanted.current = key;
    scrollTo(next);
    focusRow(key);
    if (key !== undefined && key !== started) onMove(key);
  };
  useWindowKeys(
    on,
    new Map([
      ['j', () => move(1)],
      ['k', () => move(-1)],
    ]),
  );
  // A row out of view is rendered only after the list has scrolled to it, so each render tries again to focus the wanted row.
  useEffect(() => {
    if (wanted.current !== undefined && focusRow(wanted.current)) wanted.current = undefined;
  });
  return Math.max(0, index);
}

function findIndex(
  key: string | undefined,
  count: number,
  getKey: (index: number) => string | undefined,
): number {
  if (key === undefined) return -1;
  for (let index = 0; index < count; index += 1) if (getKey(index) === key) return index;
  return -1;
}

/** Returns the key of the row that has or contains the focus. */
export function findFocusedKey(): string | undefined {
  return findRowId(document.activeElement);
}

/** Focuses the row with the key. Returns false if this row is not rendered. Without a key, does nothing and returns true. */
function focusRow(key: string | undefined): boolean {
  if (key === undefined) return true;
  const row = document.querySelector(`[data-row="${CSS.escape(key)}"]`);
  if (!(row instanceof HTMLElement)) return false;
  row.focus({ preventScroll: true });
  return true;
}
