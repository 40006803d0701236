import type { KeyboardEvent } from 'react';
import type { Selection } from './use-selection.ts';

/** The keys of a trace's steps, heard wherever the focus is in the dialog: `e` next error, `s` slowest. */
export function stepKeys(selection: Selection): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest('input, textarea, select') !== null) return;
    if (event.key === 'e') selection.selectNextError();
    else if (event.key === 's') selection.selectSlowest();
    else return;
    event.preventDefault();
  };
}
